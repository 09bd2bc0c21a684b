# setup: system packages and .venv, on a bare Debian 12 or Ubuntu 24.04. Silent when there is nothing to do.
stamp="$TRISECT_VENV/.setup"
want="$(cat .dev/apt-packages.txt .dev/requirements.txt | sha256sum)"
if [ ! -f "$stamp" ] || [ "$(cat "$stamp")" != "$want" ]; then
  missing=()
  while read -r package; do
    case "$package" in '' | '#'*) continue ;; esac
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
  done <.dev/apt-packages.txt
  if [ ${#missing[@]} -gt 0 ]; then
    command -v apt-get >/dev/null || die "needs apt-get (Debian 12 or Ubuntu 24.04) to install: ${missing[*]}"
    sudo=()
    [ "$(id -u)" = 0 ] || sudo=(sudo)
    echo "dev: installing ${#missing[@]} system packages: ${missing[*]}" >&2
    quiet build/apt.log "${sudo[@]}" apt-get update -qq
    watched "system packages" build/apt.log apt_counter "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -q --no-install-recommends "${missing[@]}" || fail_with build/apt.log "apt-get install"
  fi
  if [ ! -x "$PYTHON" ]; then
    echo "dev: making $TRISECT_VENV" >&2
    quiet build/venv.log python3 -m venv "$TRISECT_VENV"
  fi
  echo "dev: installing Python packages" >&2
  watched "Python packages" build/pip.log pip_counter \
    "$PYTHON" -m pip install --disable-pip-version-check -r .dev/requirements.txt || fail_with build/pip.log "pip install"
  site="$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
  echo "$TRISECT_ROOT/python" >"$site/trisect-dev.pth"
  echo "$want" >"$stamp"
fi
