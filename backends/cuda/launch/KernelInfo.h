//===- KernelInfo.h - what a launch must know of a compiled kernel --------------------------------------===//
//
// What: how arguments become parameters, how the grid is launched, and the places that records refer to; as
// bytes for Artifact::info.
// Why: a cached kernel is launched without its compiler.
// Limits: the convention of parameters is docs/gpu.md's; `cudaAbi` rises when it changes.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_LAUNCH_KERNELINFO_H
#define TRISECT_BACKENDS_CUDA_LAUNCH_KERNELINFO_H

#include "backends/cuda/emit/Question.h"
#include "backends/cuda/emit/Record.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trisect::cuda {

inline constexpr uint32_t cudaAbi = 4;

struct KernelInfo {
  /// For each argument the rank of the descriptor that it is, -1 for a plain value.
  std::vector<int8_t> descriptorRanks;
  bool cooperative = false; ///< all blocks at once
  bool dependent = false;   ///< may begin before the launch ahead has ended
  std::vector<RecordSite> sites;
  std::vector<OverlapQuestion> questions;
};

std::string pack(const KernelInfo &info);
/// Throws InvalidInput if the bytes are not what pack() gave.
KernelInfo unpackKernelInfo(std::string_view bytes);

/// The last parameter of every kernel. What most kernels read comes first: one load takes both, from where a
/// few arguments end. (That saves an instruction; no kernel was measured to be faster for it.)
struct HiddenParameter {
  int32_t firstX = 0; ///< the program of block 0
  uint32_t apart = 0; ///< not 0: the answer to all questions of the kernel is no
  int32_t firstYz[2] = {0, 0};
  int32_t grid[3] = {1, 1, 1}; ///< of the whole launch
  uint32_t reserved = 0;
  uint64_t record = 0;
};
static_assert(sizeof(HiddenParameter) == 40);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_LAUNCH_KERNELINFO_H
