//===- ShareWithBranches.h - what a branch and the code behind it compute alike -------------------------===//
//
// What: an address, or another value without effects, that a branch of an scf.if computes and the code behind
// the scf.if computes again, is computed once, before it. Why: people write the address of a read under a
// condition and of a later write twice; as one value both are known to touch the same elements, so that the
// block need not meet between them. Limits: what is behind the scf.if in the same block; nothing that may
// trap.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_PASSES_SHAREWITHBRANCHES_H
#define TRISECT_BACKENDS_GPU_PASSES_SHAREWITHBRANCHES_H

#include "core/ir/Ops.h"

namespace trisect::gpu {

void shareWithBranches(tt::FuncOp kernel);

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_PASSES_SHAREWITHBRANCHES_H
