//===- Emit.h - tile IR to LLVM IR ----------------------------------------------------------------------===//
//
// What: emits one kernel for a machine. Why not by MLIR's conversions: a block is a list of scalars in
// register order, and every instruction is chosen by Machine. Limits: calls are inlined, descriptors and
// block pointers are rewritten before; a tensor without an encoding has a coalesced layout.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMIT_EMIT_H
#define TRISECT_BACKENDS_CUDA_EMIT_EMIT_H

#include "backends/cuda/emit/Question.h"
#include "backends/cuda/emit/Record.h"
#include "core/ir/Ops.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace trisect::cuda {

class Machine;

struct EmitOptions {
  unsigned warps = 4;
  unsigned stages = 3; ///< of a loop's pipeline, where the loop names none
  unsigned maxRegisters = 0;
  bool fusion = true; ///< a product and a sum may become one fma
  bool lineInfo = true;
};

struct EmittedKernel {
  int64_t sharedBytes = 0;
  std::vector<RecordSite> sites;
  std::vector<OverlapQuestion> questions;
  std::string entry; ///< the function's name
};

/// Emits `kernel` into the module of `machine`; throws Unsupported.
EmittedKernel emit(tt::FuncOp kernel, Machine &machine, llvm::IRBuilder<> &builder,
                   const EmitOptions &options);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMIT_EMIT_H
