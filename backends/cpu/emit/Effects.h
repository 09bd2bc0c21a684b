//===- Effects.h - what others may see of a program before it comes to a place --------------------------===//
//
// What: tells of an operation of a lowered module whether the program may have written to memory of the
// launch, printed, or done anything else that is seen, when it comes there. Why: a program that has done
// nothing can be stopped there and begin again, and so can one that has only written, if what it wrote over
// was kept. Limits: an address that is not plainly of the scratch memory is the launch's; what lies in a
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
/// Says of a store that nothing is to be put back there: it is an atomic's.
void markLasting(mlir::Operation *store);

class Effects {
public:
  /// `program`: what runs a program of the grid; other functions are called by it.
  Effects(mlir::ModuleOp module, mlir::LLVM::LLVMFuncOp program);
  enum class Kind : uint8_t {
    None,
    Written, ///< by stores
    Lasting, ///< atomics, prints, calls: cannot be put back
  };
  /// The worst that may have been seen before the operation.
  Kind before(mlir::Operation *op) const;
  /// The stores to memory of the launch.
  llvm::ArrayRef<mlir::Operation *> stores() const { return found; }

private:
  using Holders = llvm::DenseSet<mlir::Operation *>; ///< some operations, and all in which one lies
  void hold(mlir::ModuleOp module, llvm::ArrayRef<mlir::Operation *> ops, Holders &holders);
  bool anyBefore(mlir::Operation *op, const Holders &holders) const;

  mlir::Operation *program;
  Holders seen, lasting;
  llvm::SmallVector<mlir::Operation *> found;
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_EFFECTS_H
