# fuzz [MINUTES | keep]: libFuzzer with ASan and UBSan over parser, verifier, printer and passes (10 minutes by default),
# from seeds that are the modules of all tests. Fails on a crash, a leak, or an input that takes more than a second. What
# it finds lies in build/fuzz-found; keep a minimised copy of every failure in tests/fuzz/corpus. Inputs that reach
# something new gather in build/fuzz-corpus; `keep` makes tests/fuzz/found anew out of the small ones that reach what
# no seed does.
# fuzz NAME [MINUTES]: a program of tests/fuzz: launches (threads, signals, forks, autotuning), modules (mutated, through
# all tiers), messages (to the debug adapter and the language server), tiers (random kernels through all tiers; also
# `tiers --count N --record FILE`, which can go on later). `kernels [COUNT]` makes and drops 20,000 kernels.
# With --preset debug (ASan, UBSan) or tsan behind them, launches, modules and messages try that build.
if [ -f "tests/fuzz/${1:-}.py" ]; then
  preset="$(grep -oP -- '--preset[= ]\K\S+' <<<"$*" || echo release)"
  case "$preset:$1" in
    release:*) ;;
    debug:launches | debug:modules | debug:messages | tsan:launches | tsan:modules | tsan:messages)
      NINJA_ARGS="_C trisect-lsp-server" ;;
    *) die "fuzz: '$1' does not run under '$preset' (launches, modules and messages: debug, tsan)" ;;
  esac
  need_build "$preset"
  export PYTHONPATH="$PWD/python"
  exec "$PYTHON" "tests/fuzz/$1.py" "${@:2}"
fi
minutes="${1:-10}"
[[ "$minutes" =~ ^([0-9]+|keep)$ ]] || die "fuzz: '$minutes' is no number of minutes, nor keep, nor a program of tests/fuzz"
NINJA_ARGS="trisect-fuzz-ttir" need_build fuzz
found=build/fuzz-found
seeds=build/fuzz-seeds
mkdir -p "$found" build/fuzz-corpus
rm -f "$found"/slow-unit-*
ulimit -s 65536 2>/dev/null || true
fuzzer=(build/fuzz/bin/trisect-fuzz-ttir -artifact_prefix="$found/" -rss_limit_mb=4096)
"$PYTHON" .dev/testing/fuzz_seeds.py "$seeds"
if [ "$minutes" = keep ]; then
  rm -rf build/fuzz-keep
  mkdir -p build/fuzz-keep
  cp tests/fuzz/seeds/* tests/fuzz/corpus/* "$seeds"/* build/fuzz-keep
  quiet build/fuzz-keep.log "${fuzzer[@]}" -merge=1 -use_counters=0 -max_len=8192 \
    build/fuzz-keep tests/fuzz/found build/fuzz-corpus
  for input in tests/fuzz/seeds/* tests/fuzz/corpus/* "$seeds"/*; do
    rm "build/fuzz-keep/$(basename "$input")"
  done
  rm -f tests/fuzz/found/*
  find build/fuzz-keep -type f -size +80c -size -500c -exec cp -t tests/fuzz/found {} +
  echo "tests/fuzz/found: $(find tests/fuzz/found -type f | wc -l) inputs"
  return 0
fi
# A slow input may be one of a busy machine: it is kept, the run goes on, and afterwards it gets its second again.
"${fuzzer[@]}" -max_total_time=$((minutes * 60)) -dict="$seeds.dict" -report_slow_units=1 -timeout=20 -max_len=8192 \
  -print_final_stats=1 build/fuzz-corpus tests/fuzz/corpus tests/fuzz/found tests/fuzz/seeds "$seeds"
slow=0
for input in "$found"/slow-unit-*; do
  [ ! -f "$input" ] || "${fuzzer[@]}" -timeout=1 "$input" || slow=$((slow + 1))
done
[ "$slow" = 0 ] || die "fuzz: $slow inputs take more than a second ($found/slow-unit-*)"
