# format: rewrite tracked C++ and Python sources in the house format.
need_setup
git ls-files -z -- '*.h' '*.cpp' | xargs -0 --no-run-if-empty clang-format-19 -i
"$PYTHON" -m ruff check --quiet --fix-only .
"$PYTHON" -m ruff format --quiet .
