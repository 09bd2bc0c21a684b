//===- Anchors.h - layouts that operations ask for ------------------------------------------------------===//
//
// What: the layouts of products and of accesses to global memory, in the order in which they decide:
// products, then accesses that move much, then the others. Why: what lies between them takes the layout of
// one of them. How: neighbours in memory go to neighbouring registers, as many as one access of 16 bytes can
// take; all accesses of one shape and direction take the widest, so that nothing has to be converted between
// them.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_PASSES_ANCHORS_H
#define TRISECT_BACKENDS_GPU_PASSES_ANCHORS_H

#include "backends/gpu/ir/TileDialect.h"
#include "backends/gpu/layouts/Coalesced.h"
#include "core/analysis/AxisAnalysis.h"

namespace trisect::gpu {

struct Anchor {
  mlir::Operation *op = nullptr;
  Layout layout = Layout::empty({});
  /// Takes its neighbours' layout where they have one.
  bool weak = false;
};

std::vector<Anchor> findAnchors(tt::FuncOp function, Threads threads);

/// Elements of so many bytes that one access can take along a dimension; `mask` may be null.
int64_t accessVector(const tt::AxisInfo &pointer, const tt::AxisInfo *mask, size_t axis, int64_t bytes);

/// What a tensor gets that no anchor reaches.
Layout defaultLayout(mlir::Type tensor, Threads threads);
/// The same with runs of `pack` elements in registers.
Layout packedLayout(mlir::Type tensor, unsigned pack, Threads threads);

/// Bits of the operands of a product as tensor cores take them.
int32_t operandBits(tt::DotOp dot);
/// How a product is computed: `mma` where tensor cores do it within the precision asked for, else `fma`.
llvm::StringRef pathOfDot(tt::DotOp dot);

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_PASSES_ANCHORS_H
