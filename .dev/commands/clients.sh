# clients [FILTER...]: operators of published kernel libraries, unmodified, on Trisect (tests/clients).
need_build release
clients_want="$(sha256sum tests/clients/requirements.txt)"
if [ ! -f .clients-venv/.setup ] || [ "$(cat .clients-venv/.setup)" != "$clients_want" ]; then
  echo "dev: making .clients-venv" >&2
  quiet build/clients-venv.log "$PYTHON" -m venv --clear .clients-venv
  quiet build/clients-pip.log .clients-venv/bin/pip install --quiet --disable-pip-version-check --no-deps \
    -r tests/clients/requirements.txt
  # torch and NumPy are taken from the development environment.
  site="$(.clients-venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
  "$PYTHON" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' >"$site/trisect-dev.pth"
  echo "$clients_want" >.clients-venv/.setup
fi
PYTHONPATH="$TRISECT_ROOT/python" exec .clients-venv/bin/python tests/clients/run.py "$@"
