//===- Functions.h - what emulated code calls -----------------------------------------------------------===//
//
// What: one host function for each machine instruction of HostMachine, and one for each instruction that
// libdevice uses. Why addresses: code for the emulator is never kept, so it calls them directly.
// Limits: values of up to 64 bits travel as u64; buffers hold the words of one access.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMULATE_FUNCTIONS_H
#define TRISECT_BACKENDS_CUDA_EMULATE_FUNCTIONS_H

#include <cstdint>
#include <string_view>

namespace trisect::cuda {

/// The address of the function that stands for an instruction, such as `barrier`; null if there is none.
void *emulatorFunction(std::string_view name);
/// The function for one of LLVM's intrinsics, `llvm.nvvm.fma.rn.f`; null if there is none.
void *nvvmFunction(std::string_view intrinsic);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMULATE_FUNCTIONS_H
