# nightly: the numeric tests that look at all 2^32 patterns of f32; an hour or so.
[ $# -eq 0 ] || die "nightly: takes no argument"
need_build release
export TRISECT_NIGHTLY=1 PYTHONPATH="$PWD/python"
exec "$PYTHON" -m pytest -v --durations=0 -n "$(nproc)" tests/python/numerics -k "every_pattern or every_f32"
