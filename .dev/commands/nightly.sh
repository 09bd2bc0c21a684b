# nightly [TABLE]: the numeric tests over all 2^32 patterns of f32, with progress; TABLE is a part of a test's name,
# such as bf16, exp or every_pattern. An hour or so for all.
[ $# -le 1 ] || die "nightly: one table at most"
need_build release
export TRISECT_NIGHTLY=1 PYTHONPATH="$PWD/python"
exec "$PYTHON" -m pytest -v -s --durations=0 -n "$(nproc)" tests/python/numerics \
  -k "(every_pattern or every_f32)${1:+ and $1}"
