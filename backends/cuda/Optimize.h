//===- Optimize.h - LLVM's passes and code generator for PTX --------------------------------------------===//
//
// What: sets a module up for NVIDIA GPUs, optimises it and prints PTX.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_OPTIMIZE_H
#define TRISECT_BACKENDS_CUDA_OPTIMIZE_H

#include <string>

namespace llvm {
class Module;
}

namespace trisect::cuda {

/// Gives an empty module the triple and data layout.
void prepareForPtx(llvm::Module &module, unsigned capability);
void optimizeForPtx(llvm::Module &module, unsigned capability);
/// Throws EngineError if LLVM refuses.
std::string emitPtx(llvm::Module &module, unsigned capability);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_OPTIMIZE_H
