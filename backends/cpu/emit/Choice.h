//===- Choice.h - code for both answers to a question ---------------------------------------------------===//
//
// What: eitherWay() builds an scf.if from what each side gives, emitted where it stands. Why: a fast way that
// does not hold for every number, mask or address stands beside one that does. Limits: markPaths() is the
// caller's; both sides give values of the same types.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_CHOICE_H
#define TRISECT_BACKENDS_CPU_EMIT_CHOICE_H

#include "backends/cpu/emit/Code.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace trisect::cpu {

/// `body` emits the side for each answer, and gives its values.
mlir::scf::IfOp eitherWay(Code &code, mlir::TypeRange types, mlir::Value condition,
                          llvm::function_ref<llvm::SmallVector<mlir::Value>(bool)> body);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_CHOICE_H
