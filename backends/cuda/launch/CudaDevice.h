//===- CudaDevice.h - NVIDIA GPUs as devices ------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_LAUNCH_CUDADEVICE_H
#define TRISECT_BACKENDS_CUDA_LAUNCH_CUDADEVICE_H

#include "backends/target/Device.h"

namespace trisect::cuda {

/// The device with an index, or null if this machine has none. Lives as long as the process.
Device *cudaDevice(int32_t index);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_LAUNCH_CUDADEVICE_H
