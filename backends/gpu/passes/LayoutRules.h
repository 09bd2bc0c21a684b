//===- LayoutRules.h - how an operation ties the layouts of its tensors ---------------------------------===//
//
// What: for each operation, the layout that an operand must have so that the operation moves nothing between
// threads, and the layout that its result has then. Why: assignment follows these ties in both directions,
// and converts where they cannot be kept. Limits: regions and branches are tied by their pass (RegionTies.h).
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_PASSES_LAYOUTRULES_H
#define TRISECT_BACKENDS_GPU_PASSES_LAYOUTRULES_H

#include "backends/gpu/layouts/Layout.h"
#include "mlir/IR/Operation.h"

namespace trisect::gpu {

/// Positions of tensors that must have one layout, which is that of the operation.
struct SharedTensors {
  llvm::SmallVector<unsigned> operands;
  llvm::SmallVector<unsigned> results;
};
SharedTensors sharedTensors(mlir::Operation *op);

/// Whether a shape operation gives its result a layout of its own making: reduce, join, split, cat. Others
/// take any layout for their result and need a certain one of their operand.
bool forcesResult(mlir::Operation *op);

/// The layout of a result if the operand, a tensor, has this one; nothing if the operand does not decide.
std::optional<Layout> resultLayout(mlir::Operation *op, unsigned operand, const Layout &layout);
/// The layout that an operand needs for a result of this one; nothing if any will do.
std::optional<Layout> operandLayout(mlir::Operation *op, unsigned operand, const Layout &result);

/// Elements that an operation works on together, in registers one after the other: packed assembly and maps.
unsigned packOf(mlir::Operation *op);
/// True if each aligned run of `pack` elements lies in registers one after the other.
bool holdsPacks(const Layout &layout, unsigned pack);

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_PASSES_LAYOUTRULES_H
