//===- StageOperands.h - operands of products go to shared memory ---------------------------------------===//
//
// What: a tt.dot becomes a tile.dot whose operands lie in buffers. Each buffer is swizzled so that rows along
// its fastest dimension, the one in which the block's registers run, are written and read without bank
// conflicts. Limits: batched products and element types of other than 8 to 64 bits have plain buffers.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_PASSES_STAGEOPERANDS_H
#define TRISECT_BACKENDS_GPU_PASSES_STAGEOPERANDS_H

#include "core/ir/Ops.h"

namespace trisect::gpu {

void stageOperands(tt::FuncOp kernel);

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_PASSES_STAGEOPERANDS_H
