//===- RequireDefined.h - undefined values must not decide the way of a program -------------------------===//
//
// What: the pass `require-defined`, for who has a module that it must not change, and the mark of its
// assertions. Why: a tier says of them what it says of a loop without a step, and not that an assertion
// failed.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_PASSES_REQUIREDEFINED_H
#define TRISECT_CORE_PASSES_REQUIREDEFINED_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace trisect::tt {

/// On a tt.assert: a false condition is an undefined value, not a claim of the user's that fails. True: one
/// that hangs on the result of an operation, which a sanitizer follows by itself.
constexpr llvm::StringLiteral kDefinedAttr = "tt.defined";

/// A copy of the module with such assertions; null if it needs none.
mlir::OwningOpRef<mlir::ModuleOp> withRequirements(mlir::ModuleOp module);

} // namespace trisect::tt

#endif // TRISECT_CORE_PASSES_REQUIREDEFINED_H
