//===- AssignLayouts.h - every tensor gets a layout -----------------------------------------------------===//
//
// What: chooses a layout for every tensor of a kernel and makes the types say so. Where two meet, the block
// is converted; what is cheap to compute, addresses and masks mostly, is computed again in the layout needed.
// How: layouts spread from the anchors (Anchors.h) along the ties of LayoutRules.h and RegionTies.h, both
// ways; the first to reach a value has it. Limits: one function without calls, descriptors and block
// pointers.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_PASSES_ASSIGNLAYOUTS_H
#define TRISECT_BACKENDS_GPU_PASSES_ASSIGNLAYOUTS_H

#include "backends/gpu/layouts/Coalesced.h"
#include "core/ir/Ops.h"

namespace trisect::gpu {

void assignLayouts(tt::FuncOp kernel, Threads threads);

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_PASSES_ASSIGNLAYOUTS_H
