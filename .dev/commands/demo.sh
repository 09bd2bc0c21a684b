# demo: kernels through every tier of this machine, with times and verdicts.
need_build release
PYTHONPATH="$TRISECT_ROOT/python" exec "$PYTHON" -m trisect.demo "$@"
