# api FILE: compare the Python surface with a description of the public names (JSON), name by name.
[ $# -ge 1 ] || die "api: needs the JSON file that lists the names"
need_build release
exec "$PYTHON" .dev/check_api.py "$@"
