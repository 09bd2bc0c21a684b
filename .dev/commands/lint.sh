# lint [--changed]: clang-format, ruff, layers, form, functions, docs made from tables, clang-tidy (of all files, or of those that
# differ from HEAD). Runs all of them, then says which failed.
need_build release
failed=()
check() {
  local name="$1"
  shift
  "$@" || failed+=("$name")
}

check clang-format clang-format-19 --dry-run -Werror $(git ls-files -- '*.h' '*.cpp')
check ruff "$PYTHON" -m ruff check --quiet .
check "ruff format" "$PYTHON" -m ruff format --quiet --check .
check layers "$PYTHON" .dev/lint/layers.py
check "layers of Python" "$PYTHON" .dev/lint/python_layers.py
check form "$PYTHON" .dev/lint/form.py
check functions "$PYTHON" .dev/lint/functions.py
check enums "$PYTHON" .dev/lint/enums.py
check variables "$PYTHON" .dev/lint/variables.py
check "docs/options.md" "$PYTHON" .dev/lint/options_doc.py
check "docs/ops.md" "$PYTHON" .dev/lint/ops_doc.py
check clang-tidy "$PYTHON" .dev/lint/tidy.py "$@"
[ ${#failed[@]} = 0 ] || die "lint: failed: ${failed[*]} (./dev format mends what a formatter can)"
echo "lint: clean"
