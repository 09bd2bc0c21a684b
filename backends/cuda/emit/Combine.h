//===- Combine.h - regions that join two values ---------------------------------------------------------===//
//
// What: what reductions and scans share.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMIT_COMBINE_H
#define TRISECT_BACKENDS_CUDA_EMIT_COMBINE_H

#include "backends/cuda/emit/Emitter.h"

namespace trisect::cuda {

/// Emits the region of a reduction or scan: what `left` and `right` give together.
Parts combine(Emitter &e, mlir::Region &region, llvm::ArrayRef<llvm::Value *> left,
              llvm::ArrayRef<llvm::Value *> right);
/// Whether it gives the same bits if its operands change places (NaNs apart).
bool commutes(mlir::Region &region);
/// Whether every register, lane and warp bit of a layout moves along one dimension.
bool movesAlongOneDimension(const gpu::Layout &layout);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMIT_COMBINE_H
