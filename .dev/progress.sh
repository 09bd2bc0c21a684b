# Long steps of ./dev show what they do and how far they are: one line that moves on a terminal, else a line now and then.
#
#   watched LABEL LOG COUNTER COMMAND...   runs the command with its output in LOG and shows `LABEL: <COUNTER LOG>, N s`;
#                                          fails as the command does, with the end of the log
# The command runs in the foreground, so that Ctrl-C reaches it; what shows its progress ends with it or with the script.
progress_interval=30

watched() {
  local label="$1" log="$2" counter="$3" status=0
  shift 3
  mkdir -p "$(dirname "$log")"
  : >"$log"
  show_progress "$label" "$log" "$counter" &
  local watcher=$!
  "$@" >"$log" 2>&1 || status=$?
  kill "$watcher" 2>/dev/null || true
  wait "$watcher" 2>/dev/null || true
  [ ! -t 2 ] || printf '\r\033[K' >&2
  return "$status"
}

show_progress() {
  local label="$1" log="$2" counter="$3" seconds=0
  while sleep 1 && kill -0 $$ 2>/dev/null; do
    seconds=$((seconds + 1))
    if [ -t 2 ]; then
      printf '\r\033[Kdev: %s: %s, %d s' "$label" "$("$counter" "$log")" "$seconds" >&2
    elif [ $((seconds % progress_interval)) = 0 ]; then
      printf 'dev: %s: %s, %d s\n' "$label" "$("$counter" "$log")" "$seconds" >&2
    fi
  done
}

# What the logs of the tools say of their progress.
ninja_counter() {
  local last
  last="$(grep -oE '^\[[0-9]+/[0-9]+\]' "$1" | tail -n 1 | tr -d '[]')"
  [ -n "$last" ] && echo "object ${last%/*} of ${last#*/}" || echo "starting"
}

apt_counter() {
  local all
  all="$(grep -oE '[0-9]+ newly installed' "$1" | grep -oE '^[0-9]+' || true)"
  [ -n "$all" ] && echo "package $(grep -c '^Setting up' "$1" || true) of $all" || echo "looking them up"
}

pip_counter() {
  if grep -q '^Installing collected packages' "$1"; then
    echo "installing"
  else
    echo "fetching $(grep -oE '^Collecting [^ ]+' "$1" | tail -n 1 | cut -d ' ' -f 2)"
  fi
}
