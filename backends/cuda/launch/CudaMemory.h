//===- CudaMemory.h - the memory of NVIDIA devices as a memory space ------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_LAUNCH_CUDAMEMORY_H
#define TRISECT_BACKENDS_CUDA_LAUNCH_CUDAMEMORY_H

#include "backends/target/Memory.h"

namespace trisect::cuda {

/// The memory of a device; null if this machine has no such device. Lives as long as the process.
MemorySpace *cudaMemory(int32_t device);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_LAUNCH_CUDAMEMORY_H
