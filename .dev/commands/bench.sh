# bench [NAME [CASE...]]: run bench/NAME.py; without a name list them. Records go to bench/results.
if [ $# = 0 ]; then
  list_programs bench/*.py
  return 0
fi
name="$1"
shift
[ -f "bench/$name.py" ] || die "bench: no benchmark '$name' (./dev bench lists them)"
if [ $# -gt 0 ] && ! grep -q argparse "bench/$name.py"; then
  [ "$1" = --help ] || [ "$1" = -h ] || die "bench: $name takes no arguments"
  python3 -c 'import ast, sys; print(ast.get_docstring(ast.parse(open(sys.argv[1]).read())))' "bench/$name.py"
  return 0
fi
need_build release
if grep -qw upstream "bench/$name.py"; then
  need_peer
fi
if grep -q 'clients-venv' "bench/$name.py"; then
  need_clients
fi
# The tools that tilelens brings need packages which the peer itself must not see.
if grep -q 'peer-tools-venv' "bench/$name.py" &&
  [ ! .peer-tools-venv/.setup -nt .dev/peer-tools-requirements.txt ]; then
  echo "dev: making .peer-tools-venv" >&2
  quiet build/peer-tools-venv.log python3 -m venv .peer-tools-venv
  quiet build/peer-tools-pip.log .peer-tools-venv/bin/pip install --quiet --disable-pip-version-check \
    -r .dev/peer-requirements.txt -r .dev/peer-tools-requirements.txt
  touch .peer-tools-venv/.setup
fi
exec "$PYTHON" "bench/$name.py" "$@"
