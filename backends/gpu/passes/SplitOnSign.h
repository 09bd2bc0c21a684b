//===- SplitOnSign.h - a kernel for remainders of what is not negative, and one for the rest ------------===//
//
// What: where an offset is `(start + range) % n` and nothing tells the sign of `start`, the rest of the
// kernel is there twice: once for starts that are not negative, where neighbours stay neighbours up to a
// multiple of n, and once for the others. Why: products address their operands so, and accesses are sixteen
// times as wide if neighbours are known. The remainder of a negative number is not positive: neighbours part
// there. Limits: remainders in the first block of a kernel that has one block.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_PASSES_SPLITONSIGN_H
#define TRISECT_BACKENDS_GPU_PASSES_SPLITONSIGN_H

#include "core/ir/Ops.h"

namespace trisect::gpu {

void splitOnSign(tt::FuncOp kernel);

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_PASSES_SPLITONSIGN_H
