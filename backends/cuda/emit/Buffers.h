//===- Buffers.h - blocks in shared memory --------------------------------------------------------------===//
//
// What: moves a block between registers and a buffer, whose layout maps offsets to elements. Accesses are as
// wide as both layouts agree, at most 16 bytes.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMIT_BUFFERS_H
#define TRISECT_BACKENDS_CUDA_EMIT_BUFFERS_H

#include "backends/cuda/emit/Emitter.h"

namespace trisect::cuda {

void storeToBuffer(Emitter &e, const Parts &parts, const Placement &block, llvm::Value *base,
                   const gpu::Layout &buffer);
Parts loadFromBuffer(Emitter &e, llvm::Value *base, const gpu::Layout &buffer, const Placement &block,
                     llvm::Type *element);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMIT_BUFFERS_H
