//===- Lookahead.h - what a loop needs to know of its later iterations ----------------------------------===//
//
// What: the operations and carried values of a loop's body from which some values of it are computed, so that
// they can be computed again for an iteration that is still to come. Limits: pure operations of the body
// itself; what is read from memory is not known ahead.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_PASSES_LOOKAHEAD_H
#define TRISECT_BACKENDS_GPU_PASSES_LOOKAHEAD_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace trisect::gpu {

class Lookahead {
public:
  explicit Lookahead(mlir::scf::ForOp loop) : loop(loop) {}

  /// Adds what these values are computed from; false, and nothing is added, if one cannot be known ahead.
  bool add(mlir::ValueRange values);

  /// Positions of the carried values among the loop's iteration arguments.
  llvm::ArrayRef<unsigned> carried() const { return arguments; }
  /// Repeats the operations in the order of the body, with the induction variable and the carried values that
  /// `mapping` has; adds what they give to it.
  void repeat(mlir::OpBuilder &builder, mlir::IRMapping &mapping);
  /// What the carried values are in the iteration after the one that was repeated.
  llvm::SmallVector<mlir::Value> next(const mlir::IRMapping &mapping);

private:
  bool reach(mlir::Value value, llvm::SetVector<mlir::Operation *> &found, llvm::SetVector<unsigned> &taken);

  mlir::scf::ForOp loop;
  llvm::SetVector<mlir::Operation *> ops;
  llvm::SmallVector<unsigned> arguments;
};

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_PASSES_LOOKAHEAD_H
