//===- Reach.h - the interval of addresses that an access touches ---------------------------------------===//
//
// What: addresses taken apart into scalars and a range of constants.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMIT_REACH_H
#define TRISECT_BACKENDS_CUDA_EMIT_REACH_H

#include "core/ir/Ops.h"
#include <optional>

namespace trisect::cuda {

/// `start + (the sum of moved + k) * bytes` for k in [low, high], where `bytes` is an element's size. Sums of
/// 32 bits wrap, so that it holds modulo 2^32 elements.
struct Reach {
  mlir::Value start;                       ///< a scalar pointer
  llvm::SmallVector<mlir::Value, 2> moved; ///< scalar integers
  mlir::Value offsets;                     ///< of the elements, if there is one block of them
  int64_t low = 0, high = 0, bytes = 1;
  bool operator==(const Reach &) const = default;
};

/// Of a pointer or a block of pointers whose scalars are the same in all threads whatever memory holds.
std::optional<Reach> reachOf(mlir::Value pointer);
/// Whether a scalar follows from arguments, program numbers and counters alone.
bool isUniform(mlir::Value scalar, unsigned depth = 0);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMIT_REACH_H
