# gpu-kit: pack .kit/trisect-kit.tar.xz for a machine with a GPU and no LLVM, and try it here.
need_build kit
archive=.kit/trisect-kit.tar.xz
"$PYTHON" .dev/kit/pack.py build/kit/package/trisect/lib/libtrisect.so build/kit/bin/trisect-check "$archive"
trial="$(mktemp -d)"
trap 'rm -rf "$trial"' EXIT
started=$(date +%s.%N)
tar -xJf "$archive" -C "$trial"
env -u PYTHONPATH "$trial/trisect-kit/build.sh" "$PYTHON"
"$PYTHON" -c "import sys; print(f'unpacked and built in {float(sys.argv[2]) - float(sys.argv[1]):.1f} s')" "$started" "$(date +%s.%N)"
