//===- PackShared.h - places in shared memory -----------------------------------------------------------===//
//
// What: gives every buffer an offset and every operation that exchanges data through shared memory its
// scratch, so that what is in use at one time does not overlap; says how much a program needs. How: buffers
// live from where they are made to their last use, through loops that they reach into from outside; the
// largest are placed first, each at the lowest offset that is free.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_PASSES_PACKSHARED_H
#define TRISECT_BACKENDS_GPU_PASSES_PACKSHARED_H

#include "core/ir/Ops.h"

namespace trisect::gpu {

/// Throws Unsupported if the program needs more than `mostBytes`.
void packShared(tt::FuncOp kernel, int64_t mostBytes);

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_PASSES_PACKSHARED_H
