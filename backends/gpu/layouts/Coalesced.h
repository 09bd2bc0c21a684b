//===- Coalesced.h - layouts for accesses to global memory ----------------------------------------------===//
//
// What: neighbouring elements in a thread's registers, neighbouring vectors in neighbouring lanes, then
// warps, then further registers. Limits: lanes and warps that a small tensor cannot use hold copies.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_LAYOUTS_COALESCED_H
#define TRISECT_BACKENDS_GPU_LAYOUTS_COALESCED_H

#include "backends/gpu/layouts/Layout.h"

namespace trisect::gpu {

/// Threads of a program.
struct Threads {
  int32_t warps = 4;
  int32_t lanes = 32;
};

/// `order` lists the dimensions, the fastest first; `elementsPerThread` lie along the fastest. All numbers
/// are powers of two.
Layout coalesced(const std::vector<int32_t> &shape, std::span<const int32_t> order, int32_t elementsPerThread,
                 Threads threads);

/// Neighbours along a dimension that a thread holds one after the other.
int32_t registerRun(const Layout &layout, size_t dim);

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_LAYOUTS_COALESCED_H
