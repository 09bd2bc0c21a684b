//===- Definedness.h - on what a value hangs, and when that is defined ----------------------------------===//
//
// What: for a value, the operations behind it that may leave it undefined, and as code the condition under
// which it does not hang on such an operation. Why: what decides the way of a program must be defined, and
// an undefined quotient that a select drops decides nothing. Limits: follows operations lane by lane
// (core/ops.def), moves of a block's elements, reductions of one block, and helpers that only compute
// (Helpers.h); what others give is taken to be defined, as are loads but for masked lanes.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_PASSES_DEFINEDNESS_H
#define TRISECT_CORE_PASSES_DEFINEDNESS_H

#include "core/passes/Helpers.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace trisect::tt {

struct Origins {
  llvm::SmallVector<mlir::Operation *> operations; ///< that may leave the value undefined
  llvm::SmallVector<mlir::Value> handed;           ///< block arguments and results of regions behind it
  bool computed = false;                           ///< a helper that only computes is behind it
};

/// Looks into helpers if there is somewhere to compute beside them.
Origins originsOf(mlir::Value value, Helpers *helpers);

/// When an operation of originsOf() leaves its result undefined: `a division by zero ...`.
std::string reasonOf(mlir::Operation *origin);

/// An i1 (or a block of them) beside `value`: true if it is defined wherever all but `origin` are. Null if it
/// always is.
mlir::Value definedApartFrom(mlir::Value value, mlir::Operation *origin, Helpers &helpers);

} // namespace trisect::tt

#endif // TRISECT_CORE_PASSES_DEFINEDNESS_H
