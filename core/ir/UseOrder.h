//===- UseOrder.h - no value before its definition ------------------------------------------------------===//
//
// What: verifyUseOrder() refuses a use of a value that the text defines at or after it, where MLIR's verifier
// does not look: outside functions and in blocks that nothing branches to. Why: there an operation may be its
// own operand, and folding such a circle never ends.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_USEORDER_H
#define TRISECT_CORE_IR_USEORDER_H

#include "mlir/IR/BuiltinOps.h"

namespace trisect::tt {

/// For a module that MLIR's verifier accepts.
mlir::LogicalResult verifyUseOrder(mlir::ModuleOp module);

} // namespace trisect::tt

#endif // TRISECT_CORE_IR_USEORDER_H
