//===- Effects.h - what others may see of a program before it comes to a place --------------------------===//
//
// What: tells of an operation of a lowered module whether the program may have written to memory of the
// launch, or printed, when it comes there. Why: a program that has done neither can be stopped there and
// begin again. Limits: an address that is not plainly of the scratch memory is the launch's; what lies in a
// function of its own, or in a loop that writes, counts as behind every write.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_EFFECTS_H
#define TRISECT_BACKENDS_CPU_EMIT_EFFECTS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"

namespace trisect::cpu {

/// Says of a call through a pointer that its effect is seen outside.
void markSeen(mlir::LLVM::CallOp call);

class Effects {
public:
  /// `program`: what runs a program of the grid; other functions are called by it.
  Effects(mlir::ModuleOp module, mlir::LLVM::LLVMFuncOp program);
  /// Whether something may have been seen before the operation.
  bool before(mlir::Operation *op) const;

private:
  mlir::Operation *program;
  llvm::DenseSet<mlir::Operation *> holders; ///< operations that are seen, and all in which one lies
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_EFFECTS_H
