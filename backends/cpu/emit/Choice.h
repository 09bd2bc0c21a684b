//===- Choice.h - a value that one of two ways gives ----------------------------------------------------===//
//
// What: eitherWay() builds an scf.if from what each side gives, which is emitted where it stands. Why: a fast way that does not hold for every
// number, or for every address, stands beside one that does. Limits: one value; markPaths() is the caller's.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_CHOICE_H
#define TRISECT_BACKENDS_CPU_EMIT_CHOICE_H

#include "backends/cpu/emit/Code.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace trisect::cpu {

mlir::scf::IfOp eitherWay(Code &code, mlir::Type type, mlir::Value condition,
                          llvm::function_ref<mlir::Value()> yes, llvm::function_ref<mlir::Value()> no);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_CHOICE_H
