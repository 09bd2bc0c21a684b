# peer [NAME [CASE...]]: run bench/peer/NAME.py, which holds this package against upstream's; without a name list them.
if [ $# = 0 ]; then
  list_programs bench/peer/*.py
  return 0
fi
name="$1"
shift
[ -f "bench/peer/$name.py" ] || die "peer: no comparison '$name' (./dev peer lists them)"
need_build release
need_peer
exec "$PYTHON" -P "bench/peer/$name.py" "$@"
