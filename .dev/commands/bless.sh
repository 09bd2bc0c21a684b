# bless [FILTER]: rewrite the stored expectations of the tests that differ; look at `git diff` afterwards.
# A test that compares with a stored file rewrites it when TRISECT_BLESS is set.
need_build release
"$PYTHON" .dev/lint/options_doc.py --write
"$PYTHON" .dev/lint/enums.py --write
"$PYTHON" .dev/lint/ops_doc.py --write
TRISECT_BLESS=1 "$PYTHON" .dev/testing/run.py ${1:+--filter "$1"} || true
git --no-pager diff --stat -- tests docs
