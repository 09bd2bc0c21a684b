//===- SortNetwork.h - chains of steps in which partners of a block are put in order --------------------===//
//
// What: tl.sort, tl.topk and tl.bitonic_merge compare each element with the one whose index differs in one
// bit and keep the smaller or the larger one, again and again. A chain of such steps is found here: for each
// the bit, and what decides which of the two keeps the smaller one (a sum modulo 2 of bits of the index).
// Why: one after the other the steps are loops over the whole block; known together, many of them are done
// while a part of the block stays in registers.
// Limits: elements that comparing does not widen (integers, f32, f64); that which decides may hang on the
// step's own bit and on higher ones alone, as in every bitonic network.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_PLAN_SORTNETWORK_H
#define TRISECT_BACKENDS_CPU_PLAN_SORTNETWORK_H

#include "core/ir/FuncOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace trisect::cpu {

/// An element keeps the larger one of its pair where the sum of the bits `larger` of its index, plus `base`,
/// is odd. Indices count row by row.
struct SortStep {
  unsigned bit;    ///< in which the indices of partners differ
  uint64_t larger; ///< bits of the index; holds `bit` and no lower one
  bool base;
};

struct SortNetwork {
  mlir::Value source;
  mlir::arith::SelectOp result;
  bool isSigned;    ///< how integers are compared
  bool takesSource; ///< nothing else reads the source
  llvm::SmallVector<SortStep> steps;

  /// For the plan, a line.
  std::string describe() const;
};

class SortNetworks {
public:
  void find(tt::FuncOp kernel);
  /// The network that ends with an operation, or null.
  const SortNetwork *endingAt(mlir::Operation *op) const;
  /// Whether a step of some network does what this operation says.
  bool covers(mlir::Operation *op) const { return members.contains(op); }

private:
  llvm::DenseMap<mlir::Operation *, SortNetwork> networks; ///< by the last operation
  llvm::DenseSet<mlir::Operation *> members;
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_PLAN_SORTNETWORK_H
