# bench [NAME [CASE...]]: run bench/NAME.py; without a name list them. Records go to bench/results.
if [ $# = 0 ]; then
  list_programs bench/*.py
  return 0
fi
name="$1"
shift
[ -f "bench/$name.py" ] || die "bench: no benchmark '$name' (./dev bench lists them)"
need_build release
if grep -qw upstream "bench/$name.py"; then
  need_peer
fi
exec "$PYTHON" "bench/$name.py" "$@"
