# build [PRESET] [--time]: see need_build in common.sh.
preset=release
show_time=0
for argument in "$@"; do
  case "$argument" in
    --time) show_time=1 ;;
    release | debug | tsan | kit) preset="$argument" ;;
    *) die "build: unknown argument '$argument' (release, debug, tsan, kit, --time)" ;;
  esac
done
started=$(date +%s.%N)
need_build "$preset"
if [ "$show_time" = 1 ]; then
  ended=$(date +%s.%N)
  python3 -c "print(f'build $preset: {$ended - $started:.1f} s')"
fi
