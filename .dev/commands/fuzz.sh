# fuzz [MINUTES]: libFuzzer with ASan and UBSan over parser, verifier, printer and passes (10 minutes by default).
# What it finds lies in build/fuzz-found; keep a minimised copy of every failure in tests/fuzz/corpus.
minutes="${1:-10}"
[[ "$minutes" =~ ^[0-9]+$ ]] || die "fuzz: '$minutes' is no number of minutes"
NINJA_ARGS="trisect-fuzz-ttir" need_build fuzz
mkdir -p build/fuzz-found build/fuzz-corpus
ulimit -s 65536 2>/dev/null || true
exec build/fuzz/bin/trisect-fuzz-ttir -max_total_time=$((minutes * 60)) -dict=tests/fuzz/ttir.dict -timeout=5 -rss_limit_mb=4096 \
  -max_len=8192 -artifact_prefix=build/fuzz-found/ -print_final_stats=1 build/fuzz-corpus tests/fuzz/corpus tests/fuzz/seeds
