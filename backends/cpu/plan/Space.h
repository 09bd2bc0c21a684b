//===- Space.h - which neighbouring dimensions loops go through as one ----------------------------------===//
//
// What: for the operations of one loop nest, which boundaries between dimensions any of them needs; between
// the others dimensions merge into runs, each one loop. Why: a block of [2, 2, ... 2] is one loop over full
// vectors then, and neither code nor loops grow with the rank. Limits: a run is no promise to operations:
// those that need a dimension by itself take its position apart (separate() in emit/Index.h), at a cost.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_PLAN_SPACE_H
#define TRISECT_BACKENDS_CPU_PLAN_SPACE_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"
#include <functional>

namespace trisect::cpu {

/// Boundaries of a shape: bit d stands between dimensions d - 1 and d.
using Cuts = llvm::SmallBitVector;

/// Boundaries that the op of a value needs of its result's index, wherever its operands come from.
Cuts ownCuts(mlir::Operation *op, llvm::ArrayRef<int64_t> shape);

class CutFinder {
public:
  /// `stored`: the value is read from a buffer; `start`: what a loop-carried value is a sum of, or null.
  CutFinder(std::function<bool(mlir::Value)> stored, std::function<mlir::Value(mlir::Value)> start)
      : stored(std::move(stored)), start(std::move(start)) {}

  /// Boundaries between dimensions longer than one, as numbers of such dimensions, that must not be crossed
  /// where a value is evaluated.
  const Cuts &of(mlir::Value value);

private:
  Cuts compute(mlir::Value value);
  Cuts throughOperation(mlir::Operation *op, llvm::ArrayRef<int64_t> shape);

  std::function<bool(mlir::Value)> stored;
  std::function<mlir::Value(mlir::Value)> start;
  llvm::DenseMap<mlir::Value, Cuts> known;
};

/// A loop: so many neighbouring dimensions of a space, with so many elements together.
struct Run {
  int64_t extent = 1;
  unsigned dimensions = 0;
};

/// Runs from cuts, the outermost first. `flat`: no more than two, of which the inner one has whole chunks.
llvm::SmallVector<Run, 4> runsOf(llvm::ArrayRef<int64_t> space, const Cuts &cuts, bool flat);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_PLAN_SPACE_H
