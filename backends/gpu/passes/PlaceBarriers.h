//===- PlaceBarriers.h - barriers where accesses of shared memory could meet ----------------------------===//
//
// What: a tile.barrier before each access of shared memory that may touch what another thread wrote, or has
// still to read, since all threads last met. Nowhere else. How: walks the kernel with the accesses since the
// last meeting, loops until nothing new reaches their start. An operation with scratch writes it, meets, and
// reads it: its own barrier is the emitter's. A conversion or a scan may find that it needs none, so that its
// barrier settles nothing else. Limits: which thread touches which byte is not looked at.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_PASSES_PLACEBARRIERS_H
#define TRISECT_BACKENDS_GPU_PASSES_PLACEBARRIERS_H

#include "core/ir/Ops.h"

namespace trisect::gpu {

/// After packing.
void placeBarriers(tt::FuncOp kernel);

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_PASSES_PLACEBARRIERS_H
