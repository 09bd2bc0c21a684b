//===- RegionTies.h - values that stand for one another across regions and blocks -----------------------===//
//
// What: a loop's carried value is its block argument and its result, a branch's result is what its regions
// yield: one *owner* for all, and the operands that flow into it. Why: they all have one layout. Limits:
// scf.for, scf.while, scf.if, and branches between blocks.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_PASSES_REGIONTIES_H
#define TRISECT_BACKENDS_GPU_PASSES_REGIONTIES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace trisect::gpu {

class RegionTies {
public:
  explicit RegionTies(mlir::Operation *root);

  /// The value whose layout this one has.
  mlir::Value ownerOf(mlir::Value value) const;
  /// All values that an owner stands for.
  llvm::ArrayRef<mlir::Value> membersOf(mlir::Value owner) const;
  /// Operands that flow into an owner: of loops, yields and branches.
  llvm::ArrayRef<mlir::OpOperand *> incomingOf(mlir::Value owner) const;
  /// The owner that an operand flows into, or null. A condition of scf.while flows into what follows it.
  mlir::Value flowsInto(mlir::OpOperand &operand) const;

private:
  void join(mlir::Value owner, mlir::Value member);
  void flow(mlir::OpOperand &operand, mlir::Value into);
  void addLoop(mlir::Operation *op);
  void addBranch(mlir::Operation *op);

  llvm::DenseMap<mlir::Value, mlir::Value> owners;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> members;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::OpOperand *, 2>> incoming;
  llvm::DenseMap<mlir::OpOperand *, mlir::Value> targets;
};

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_PASSES_REGIONTIES_H
