# build [PRESET] [--time]: bring a preset up to date; --time measures a clean build and one after touching a pass.
preset=release
measure=0
for argument in "$@"; do
  case "$argument" in
    --time) measure=1 ;;
    release | debug | tsan | fuzz | kit) preset="$argument" ;;
    *) die "build: unknown argument '$argument' (release, debug, tsan, fuzz, kit, --time)" ;;
  esac
done
if [ "$measure" = 0 ]; then
  need_build "$preset"
  return 0
fi

need_setup
folder=build/timing
rm -rf "$folder"
mkdir -p "$folder"
export CCACHE_DIR="$PWD/$folder/ccache"
seconds() { "$PYTHON" -c "import sys; print(f'{float(sys.argv[2]) - float(sys.argv[1]):.1f} s')" "$@"; }

started=$(date +%s.%N)
quiet "$folder/configure.log" cmake --preset "$preset" -B "$folder/$preset" -DPython3_EXECUTABLE="$PYTHON" \
  -DTRISECT_PACKAGE_DIR="$PWD/$folder/package"
quiet "$folder/build.log" ninja -C "$folder/$preset"
echo "build $preset, clean, empty ccache: $(seconds "$started" "$(date +%s.%N)")"

touched="$(git ls-files -- 'core/passes/*.cpp' | head -n 1)"
touch "$touched"
started=$(date +%s.%N)
CCACHE_RECACHE=1 quiet "$folder/build.log" ninja -C "$folder/$preset"
echo "build $preset, after touching $touched: $(seconds "$started" "$(date +%s.%N)")"
