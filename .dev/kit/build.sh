#!/usr/bin/env bash
# Compiles the pybind11 layer of an unpacked kit for one Python: ./build.sh [PYTHON]. Needs g++ and pybind11; a second
# call for another Python adds its extension beside the first. Afterwards PYTHONPATH=<kit>/python has `trisect`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
python="${1:-python3}"
includes="$("$python" -m pybind11 --includes)"
suffix="$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')"
objects="$(mktemp -d)"
trap 'rm -rf "$objects"' EXIT

printf '%s\n' python/bindings/*.cpp | xargs -P "$(nproc)" -I{} bash -c \
  '"${CXX:-g++}" -std=c++20 -O2 -DNDEBUG -fPIC -fvisibility=hidden -I. $1 -c "$2" -o "$3/$(basename "$2").o"' _ "$includes" {} "$objects"
"${CXX:-g++}" -shared -o "python/trisect/_C$suffix" "$objects"/*.o -Lpython/trisect/lib -ltrisect -Wl,-rpath,'$ORIGIN/lib' \
  -Wl,--wrap=__gxx_personality_v0 # python/bindings/PythonEnd.cpp
PYTHONPATH=python "$python" -c 'import trisect, trisect._C; print("trisect", trisect.__version__, "is ready")'
