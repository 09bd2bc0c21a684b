//===- Spread.h - layouts spread from anchors -----------------------------------------------------------===//
//
// What: a layout for every tensor of a function, chosen but not yet written into the types.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_PASSES_SPREAD_H
#define TRISECT_BACKENDS_GPU_PASSES_SPREAD_H

#include "backends/gpu/passes/Anchors.h"
#include "backends/gpu/passes/RegionTies.h"
#include <deque>

namespace trisect::gpu {

class Spread {
public:
  Spread(tt::FuncOp function, const RegionTies &ties, Threads threads);

  const Layout &of(mlir::Value value) const { return chosen.find(ties.ownerOf(value))->second.getLayout(); }
  /// The layout that an operation asked for, if it did.
  const Layout *anchored(mlir::Operation *op) const;

private:
  void place(mlir::Value value, const Layout &layout);
  void placeAnchor(const Anchor &anchor);
  void placeShared(mlir::Operation *op, const Layout &layout);
  void run();
  void visit(mlir::Value owner);
  void forward(mlir::OpOperand &use, const Layout &layout);
  void backward(mlir::OpResult result, const Layout &layout);
  void placeTheRest(tt::FuncOp function, Threads threads);

  const RegionTies &ties;
  llvm::DenseMap<mlir::Value, LayoutAttr> chosen; ///< by owner
  llvm::DenseMap<mlir::Operation *, LayoutAttr> anchors;
  std::deque<mlir::Value> waiting;
};

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_PASSES_SPREAD_H
