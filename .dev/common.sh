# Shared by all commands of ./dev: where things are, and what must be there before a command can run.
TRISECT_ROOT="$PWD"
TRISECT_VENV="${TRISECT_VENV:-$TRISECT_ROOT/.venv}"
PYTHON="$TRISECT_VENV/bin/python"
export PATH="$TRISECT_VENV/bin:/usr/lib/llvm-19/bin:$PATH"
# A forced OpenBLAS kernel halves NumPy's speed and would falsify every comparison.
unset OPENBLAS_CORETYPE

. .dev/progress.sh

die() {
  echo "dev: $*" >&2
  exit 1
}

# quiet LOG COMMAND...: run silently, show the end of the log if it fails.
quiet() {
  local log="$1"
  shift
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 || fail_with "$log" "$*"
}

fail_with() {
  tail -n 60 "$1" >&2
  die "failed: $2 (whole output: $1)"
}

need_setup() { . .dev/commands/setup.sh; }

# need_build PRESET: configure once, then let ninja decide.
need_build() {
  local preset="${1:-release}"
  need_setup
  if [ ! -f "build/$preset/build.ninja" ]; then
    quiet "build/$preset.configure.log" cmake --preset "$preset" -DPython3_EXECUTABLE="$PYTHON"
  fi
  watched "building $preset" "build/$preset.log" ninja_counter ninja -C "build/$preset" ${NINJA_ARGS:-} || {
    grep -E -A12 '(error:|FAILED|undefined)' "build/$preset.log" | head -n 80 >&2
    die "build failed (whole output: build/$preset.log)"
  }
}

# need_peer: .peer-venv has the upstream package, which needs a NumPy older than ours.
need_peer() {
  [ ! -f .peer-venv/.setup ] || return 0
  echo "dev: making .peer-venv" >&2
  quiet build/peer-venv.log python3 -m venv .peer-venv
  quiet build/peer-pip.log .peer-venv/bin/pip install --quiet --disable-pip-version-check -r .dev/peer-requirements.txt
  touch .peer-venv/.setup
}

# need_clients: .clients-venv with the libraries that tests/clients/requirements.txt pins.
need_clients() {
  local clients_want site
  clients_want="$(sha256sum tests/clients/requirements.txt)"
  if [ ! -f .clients-venv/.setup ] || [ "$(cat .clients-venv/.setup)" != "$clients_want" ]; then
    echo "dev: making .clients-venv" >&2
    quiet build/clients-venv.log "$PYTHON" -m venv --clear .clients-venv
    quiet build/clients-pip.log .clients-venv/bin/pip install --quiet --disable-pip-version-check --no-deps \
      -r tests/clients/requirements.txt
    # torch and NumPy are taken from the development environment.
    site="$(.clients-venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
    "$PYTHON" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' >"$site/trisect-dev.pth"
    echo "$clients_want" >.clients-venv/.setup
  fi
}

# list_programs FILE...: name and first line of each Python file that is a program.
list_programs() {
  local file summary
  for file in "$@"; do
    summary="$(sed -n '1s/^"""//p' "$file")"
    [ -z "$summary" ] || ! grep -q '^if __name__' "$file" || printf '  %-12s %s\n' "$(basename "$file" .py)" "$summary"
  done
}

# libLLVM and libMLIR are not instrumented, so what crosses into them must not be poisoned by containers or pools.
# Wild accesses belong to the guard that is tested, not to the sanitizer.
export ASAN_OPTIONS="detect_container_overflow=0:allow_user_poisoning=0:handle_segv=0:handle_sigbus=0:${ASAN_OPTIONS:-detect_leaks=1}"
