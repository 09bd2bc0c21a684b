//===- Buffers.h - blocks in shared memory --------------------------------------------------------------===//
//
// What: moves a block between registers, or global memory, and a buffer, whose layout maps offsets to
// elements. Accesses are as wide as both layouts agree, at most 16 bytes. Operands of tensor cores are read
// by the instruction that hands every lane its part of 8 by 8 matrices, where the layouts fit.
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

/// A block in global memory: an address and a predicate for each part, and how many neighbours one access
/// can take.
struct GlobalBlock {
  const Parts &addresses;
  const Parts *mask; ///< null: all
  unsigned width;
  unsigned bytes; ///< of an element
};
/// Starts copies of a block to a buffer; what is masked off becomes zero. False if its accesses are narrower
/// than the machine copies.
bool copyToBuffer(Emitter &e, const GlobalBlock &from, const Placement &block, llvm::Value *base,
                  const gpu::Layout &buffer, const CacheWords &cache);

/// loadFromBuffer() by matrices; nothing if the layouts do not fit.
std::optional<Parts> loadMatrices(Emitter &e, llvm::Value *base, const gpu::Layout &buffer,
                                  const Placement &block, llvm::Type *element);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMIT_BUFFERS_H
