# wheel: build the package as `pip install .` does and use it in a fresh environment that has NumPy alone, then with
# pytest.
need_setup
trial="$(mktemp -d)"
trap 'rm -rf "$trial"' EXIT
rm -rf dist
quiet build/wheel.log "$PYTHON" -m pip wheel --disable-pip-version-check --no-deps -w dist .
quiet build/wheel-venv.log python3 -m venv "$trial/venv"
quiet build/wheel-install.log "$trial/venv/bin/pip" install --disable-pip-version-check dist/trisect-*.whl
cd "$trial"
env -u PYTHONPATH venv/bin/python "$TRISECT_ROOT/.dev/testing/wheel_smoke.py"
quiet "$TRISECT_ROOT/build/wheel-pytest.log" venv/bin/pip install --disable-pip-version-check pytest
env -u PYTHONPATH venv/bin/python "$TRISECT_ROOT/.dev/testing/wheel_pytest.py"
ls -l "$TRISECT_ROOT"/dist/*.whl | awk '{printf "%s: %.1f MiB\n", $NF, $5 / 1048576}'
