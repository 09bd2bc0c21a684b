//===- Memory.h - vectors of elements in memory ---------------------------------------------------------===//
//
// What: how wide an access may be, and elements as the words that a machine moves.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMIT_MEMORY_H
#define TRISECT_BACKENDS_CUDA_EMIT_MEMORY_H

#include "backends/cuda/emit/Emitter.h"

namespace trisect::cuda {

/// How many neighbouring parts one access moves; `mask` may be null.
unsigned accessWidth(Emitter &e, mlir::Value pointer, mlir::Value mask, unsigned bytes);

/// The addresses of a block's parts. Within a contiguous run they are one address and constants, which
/// instructions hold: one register in place of many.
Parts addressesOf(Emitter &e, mlir::Value pointer, unsigned bytes);

struct WordShape {
  unsigned bits, count;
};
/// The words that hold `width` elements.
WordShape wordShape(unsigned elementBits, unsigned width);
Words pack(Emitter &e, llvm::ArrayRef<llvm::Value *> elements);
/// Appends the `width` elements of words to `to`.
void unpack(Emitter &e, llvm::ArrayRef<llvm::Value *> words, llvm::Type *element, unsigned width, Parts &to);
/// The parts of a block in global memory; `mask` and `other` may be null.
Parts loadVectors(Emitter &e, llvm::Type *element, mlir::Value pointer, mlir::Value mask, mlir::Value other,
                  const CacheWords &cache);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMIT_MEMORY_H
