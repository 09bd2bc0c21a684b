# bench [NAME [CASE...]]: run bench/NAME.py; without a name list them. Records go to bench/results.
if [ $# = 0 ]; then
  for file in bench/*.py; do
    summary="$(sed -n '1s/^"""//p' "$file")"
    [ -z "$summary" ] || ! grep -q '^if __name__' "$file" || printf '  %-12s %s\n' "$(basename "$file" .py)" "$summary"
  done
  return 0
fi
name="$1"
shift
[ -f "bench/$name.py" ] || die "bench: no benchmark '$name' (./dev bench lists them)"
need_build release
# A benchmark that names .peer-venv is run against the upstream package, which needs a NumPy older than ours.
if grep -q 'peer-venv' "bench/$name.py" && [ ! -f .peer-venv/.setup ]; then
  echo "dev: making .peer-venv" >&2
  quiet build/peer-venv.log python3 -m venv .peer-venv
  quiet build/peer-pip.log .peer-venv/bin/pip install --quiet --disable-pip-version-check -r .dev/peer-requirements.txt
  touch .peer-venv/.setup
fi
exec "$PYTHON" "bench/$name.py" "$@"
