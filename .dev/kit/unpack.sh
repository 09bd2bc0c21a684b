# Reads `[JOBS] [--out DIR]` and unpacks .kit/trisect-kit.tar.xz, once: $kit is the folder, $out where results go.
jobs="" out="${OUT:-build/gpu}"
while [ $# -gt 0 ]; do
  case "$1" in
    --out)
      out="$2"
      shift
      ;;
    *) jobs="$1" ;;
  esac
  shift
done
archive=.kit/trisect-kit.tar.xz
[ -f "$archive" ] || die "no $archive: make it with ./dev gpu-kit on a machine with LLVM"
kit="${TMPDIR:-/tmp}/trisect-kit-$(sha256sum "$archive" | cut -c1-16)"
if [ ! -f "$kit/ready" ]; then
  mkdir -p "$kit"
  tar -xJf "$archive" -C "$kit" --strip-components=1
  "$kit/build.sh" python3
  touch "$kit/ready"
fi
