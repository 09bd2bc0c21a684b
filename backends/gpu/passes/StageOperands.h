//===- StageOperands.h - operands of products go to shared memory ---------------------------------------===//
//
// What: a tt.dot becomes a tile.dot. Operands of tensor cores that lie where the instruction wants them, such
// as the result of another product, stay in registers; others go to buffers, swizzled so that rows along the
// fastest dimension, the one in which the block's registers run, are written and read without bank conflicts.
// Operands of other products stay: the emitter has its own way with them. Limits: batches have plain buffers.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_PASSES_STAGEOPERANDS_H
#define TRISECT_BACKENDS_GPU_PASSES_STAGEOPERANDS_H

#include "core/ir/Ops.h"

namespace trisect::gpu {

void stageOperands(tt::FuncOp kernel);

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_PASSES_STAGEOPERANDS_H
