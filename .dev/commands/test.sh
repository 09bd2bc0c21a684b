# test [FILTER]: all suites (.dev/testing/run.py); FILTER is a part of a test's name or file.
[ $# -le 1 ] || die "test: one filter at most"
need_build release
exec "$PYTHON" .dev/testing/run.py ${1:+--filter "$1"}
