//===- Pipeline.h - from TTIR to tile IR ----------------------------------------------------------------===//
//
// What: simplifies a kernel, gives every tensor a layout, moves the operands of products to shared memory,
// ahead of their use in loops, packs it, and places barriers. What comes out is what the emitters walk; its
// text is asm["ttgir"].
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_PASSES_PIPELINE_H
#define TRISECT_BACKENDS_GPU_PASSES_PIPELINE_H

#include "core/ir/Ops.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>
#include <string_view>

namespace trisect::gpu {

struct TileOptions {
  int32_t warps = 4;
  int32_t stages = 3;
  /// As `cuda:90`; what instructions there are follows from it.
  std::string target = "cuda:90";
  /// Bytes of shared memory that a program may have; 0: all that the target has.
  int64_t mostShared = 0;
};

/// Changes the module. Other kernels of it go. Throws InvalidInput if there is no such kernel, Unsupported
/// with operation and position if it cannot run on the target, EngineError.
tt::FuncOp runTilePipeline(mlir::ModuleOp module, std::string_view kernel, const TileOptions &options);

/// The first half: TTIR as the layouts are assigned to it; also what emitters take without layouts.
tt::FuncOp simplifyForTiles(mlir::ModuleOp module, std::string_view kernel);

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_PASSES_PIPELINE_H
