//===- CallLimits.h - how far calls may multiply a kernel -----------------------------------------------===//
//
// What: counts what a module becomes when every call is replaced by its callee's body, without doing it.
// Why: a chain of helpers that call the next one twice doubles with every link; inlining it would take all
// time and memory. Limits: calls that constant conditions would drop are counted; recursion is the business
// of whoever expands calls, and is counted once here.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_CALLLIMITS_H
#define TRISECT_CORE_IR_CALLLIMITS_H

#include "mlir/IR/BuiltinOps.h"

namespace trisect::tt {

/// Operations of a module after its calls are expanded, and calls inside each other.
constexpr int64_t kMostExpandedOperations = 1'000'000;
constexpr int kDeepestCalls = 200;

/// Emits an error at the call or function that goes beyond the limits.
mlir::LogicalResult checkCallLimits(mlir::ModuleOp module);

} // namespace trisect::tt

#endif // TRISECT_CORE_IR_CALLLIMITS_H
