//===- Materialize.h - a value in the layout that its user needs ----------------------------------------===//
//
// What: converts a block, or computes it again in the other layout if that is cheap: ranges, splats,
// constants, and arithmetic on them. Once for all users of a value in one layout, in the block of the value,
// so that nothing is converted in a loop that comes from outside.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_PASSES_MATERIALIZE_H
#define TRISECT_BACKENDS_GPU_PASSES_MATERIALIZE_H

#include "backends/gpu/ir/TileDialect.h"

namespace trisect::gpu {

class Materializer {
public:
  /// Makes an operand a tensor of this layout.
  void use(mlir::OpOperand &operand, const Layout &layout);
  /// Says that an operation gives its result in this layout; users go on to see the one of its type.
  void define(mlir::OpResult result, const Layout &layout);

private:
  using Key = std::pair<mlir::Value, mlir::Attribute>;

  mlir::Value get(mlir::Value value, const Layout &layout, mlir::Operation *user);
  mlir::Value compute(mlir::Value value, const Layout &layout, mlir::OpBuilder &builder);
  /// Operations needed to compute a value from scalars; more than kMostSteps if it is not to be computed
  /// again.
  unsigned steps(mlir::Value value);

  static constexpr unsigned kMostSteps = 24;
  llvm::DenseMap<Key, mlir::Value> made;
  llvm::DenseMap<mlir::Value, unsigned> known;
};

/// A constant's attribute follows the type of its result.
void retypeConstant(mlir::Operation *op);
/// Erases operations without effects whose results nobody uses, again and again.
void eraseUnused(mlir::Operation *root);

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_PASSES_MATERIALIZE_H
