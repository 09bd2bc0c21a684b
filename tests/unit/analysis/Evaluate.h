//===- Evaluate.h - runs integer programs on concrete numbers -------------------------------------------===//
//
// What: executes a tt.func of integer and pointer arithmetic, loops and branches, and shows every value that
// comes to be to a visitor. Why: claims of an analysis are checked against what programs do, by code that
// shares nothing with the analysis. Limits: no memory and no floats; stops where signed arithmetic wraps or a
// result is undefined.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_UNIT_ANALYSIS_EVALUATE_H
#define TRISECT_TESTS_UNIT_ANALYSIS_EVALUATE_H

#include "core/ir/Ops.h"
#include <cstdint>
#include <functional>
#include <vector>

namespace trisect::tt {

/// Row-major elements, sign extended; pointers as addresses.
using Elements = std::vector<int64_t>;
using Visitor = std::function<void(mlir::Value, const Elements &)>;

/// False if execution stopped early; everything that was visited did happen.
bool evaluate(FuncOp func, llvm::ArrayRef<int64_t> arguments, int64_t programId, const Visitor &visit);

} // namespace trisect::tt

#endif // TRISECT_TESTS_UNIT_ANALYSIS_EVALUATE_H
