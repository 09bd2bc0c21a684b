//===- MmaFunctions.h - the matrix product of a warp ----------------------------------------------------===//
//
// What: mma.sync on the host, by the fragments that the PTX manual defines. Limits: sums are f32, f64 or i32,
// one fused multiply-add after the other; tensor cores round otherwise.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMULATE_MMAFUNCTIONS_H
#define TRISECT_BACKENDS_CUDA_EMULATE_MMAFUNCTIONS_H

#include "backends/cuda/emit/Machine.h"
#include <array>
#include <cstdint>
#include <vector>

namespace trisect::cuda {

/// Words that a lane brings.
struct MmaCounts {
  unsigned a, b, c;
};
MmaCounts mmaCounts(MmaKind kind);

/// Each lane brings its words of a, b and c one after the other and takes away the sums.
void multiply(MmaKind kind, const std::array<std::vector<uint64_t>, 32> &brought,
              std::array<std::vector<uint64_t>, 32> &taken);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMULATE_MMAFUNCTIONS_H
