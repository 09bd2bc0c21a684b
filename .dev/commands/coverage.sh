# coverage: does every branch of core/ir that reports an error have a module in tests/ir/invalid that takes it? Lists
# those that have none.
NINJA_ARGS="ir-tests" need_build coverage
folder=build/coverage
rm -f "$folder"/*.profraw
LLVM_PROFILE_FILE="$PWD/$folder/ir.profraw" quiet "$folder/ir-tests.log" "$folder/tests/ir-tests" --gtest_filter='*InvalidModules*'
llvm-profdata merge -sparse "$folder/ir.profraw" -o "$folder/ir.profdata"
llvm-cov export "$folder/tests/ir-tests" -instr-profile="$folder/ir.profdata" -sources core/ir >"$folder/ir.json" 2>"$folder/llvm-cov.log"
exec "$PYTHON" .dev/testing/refusals.py "$folder/ir.json"
