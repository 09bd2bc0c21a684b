# test [FILTER] [--preset debug|tsan]: all suites (.dev/testing/run.py); FILTER is a suite or a part of a test's name or file. With a
# preset, the GoogleTests and the run tests of tests/ops under ASan and UBSan (debug) or TSan (tsan).
preset=release
filter=()
while [ $# -gt 0 ]; do
  case "$1" in
    --preset) preset="${2:-}" && shift ;;
    *) filter+=("$1") ;;
  esac
  shift
done
[ ${#filter[@]} -le 1 ] || die "test: one filter at most"
case "$preset" in
  release) ;;
  debug | tsan) NINJA_ARGS="trisect-tests trisect-run" ;;
  *) die "test: no preset '$preset' to test (debug, tsan)" ;;
esac
need_build "$preset"
exec "$PYTHON" .dev/testing/run.py --preset "$preset" ${filter:+--filter "${filter[0]}"}
