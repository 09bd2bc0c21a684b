# clients [FILTER...]: operators of published kernel libraries, unmodified, on Trisect (tests/clients).
need_build release
need_clients
PYTHONPATH="$TRISECT_ROOT/python" exec .clients-venv/bin/python tests/clients/run.py "$@"
