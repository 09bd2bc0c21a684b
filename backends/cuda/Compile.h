//===- Compile.h - TTIR to PTX --------------------------------------------------------------------------===//
//
// What: the stages of a kernel up to PTX, with their texts. Why: one route serves the target, the emulator,
// the tools and tests. Limits: assembling PTX is the driver's part (backends/cuda/driver).
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_COMPILE_H
#define TRISECT_BACKENDS_CUDA_COMPILE_H

#include "backends/cuda/emit/Emit.h"
#include "core/ir/Ops.h"
#include <string>
#include <string_view>

namespace trisect::cuda {

struct PtxOptions {
  /// As in sm_90: 90. What the code may use; newer GPUs take it as PTX.
  unsigned capability = 90;
  EmitOptions emit;
  bool wantLlvm = false; ///< keep the text of the LLVM IR
  /// If there is one, positions are those in the text of tile IR, which is to lie in this file.
  std::string ttgirFile;
};

struct PtxKernel {
  std::string ttgir; ///< tile IR
  std::string llir;
  std::string ptx;
  std::string entry;
  int64_t sharedBytes = 0;
  std::vector<RecordSite> sites;
  std::vector<OverlapQuestion> questions;
};

/// Turns the module into tile IR in place; gives the kernel. Throws InvalidInput, Unsupported.
tt::FuncOp toTiles(mlir::ModuleOp module, std::string_view kernel, unsigned capability,
                   const EmitOptions &options);

/// What follows: tile IR to PTX. Throws Unsupported or EngineError.
PtxKernel tilesToPtx(tt::FuncOp kernel, const PtxOptions &options);

/// Compiles `kernel` of a copy of `module`; throws Unsupported or EngineError.
PtxKernel compileToPtx(mlir::ModuleOp module, std::string_view kernel, const PtxOptions &options);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_COMPILE_H
