//===- Libdevice.h - NVIDIA's library of device functions -----------------------------------------------===//
//
// What: finds libdevice.10.bc (TRITON_LIBDEVICE_PATH, toolkits, installed packages) and links what a module
// calls of it. Limits: without the file, a kernel that calls one of its functions is unsupported, by name.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMIT_LIBDEVICE_H
#define TRISECT_BACKENDS_CUDA_EMIT_LIBDEVICE_H

#include <string>

namespace llvm {
class Module;
}

namespace trisect::cuda {

/// Links the functions `__nv_...` that `module` declares; throws Unsupported if one is not to be had.
void linkLibdevice(llvm::Module &module);
/// The file, or nothing.
std::string findLibdevice();

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMIT_LIBDEVICE_H
