//===- NarrowBranches.h - rounding in the branches what is rounded behind them --------------------------===//
//
// What: where all that is done with a result of an scf.if is to round it to a narrower type, its branches
// round it. A value that was widened there is the narrow one again, and a sum of two halves that were read
// and widened is a sum of halves, which rounds alike. Why: sums that are added to in memory are read,
// widened, added and rounded while others wait for the lock. Limits: results that a branch makes cheaper, of
// few elements a thread; sums of f16, which f32 holds without a second rounding that shows; none of a
// product, which could be fused with it.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_PASSES_NARROWBRANCHES_H
#define TRISECT_BACKENDS_GPU_PASSES_NARROWBRANCHES_H

#include "core/ir/Ops.h"

namespace trisect::gpu {

void narrowBranches(tt::FuncOp kernel, int64_t warps);

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_PASSES_NARROWBRANCHES_H
