//===- Scratch.h - shared memory that an operation uses while it runs -----------------------------------===//
//
// What: how many bytes an emitter needs to exchange data between the warps of a program for one operation.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_PASSES_SCRATCH_H
#define TRISECT_BACKENDS_GPU_PASSES_SCRATCH_H

#include "mlir/IR/Operation.h"

namespace trisect::gpu {

/// 0 if the operation exchanges nothing through shared memory.
int64_t scratchBytes(mlir::Operation *op);

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_PASSES_SCRATCH_H
