//===- SharedSums.h - the threads' own sums of products ------------------------------------------------===//
//
// What: a slice in K of two operands in shared memory, and the loop in which each thread adds the products of
// its rows and columns to its sums. Limits: one chain of fused multiply-adds an element; slow.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMIT_SHAREDSUMS_H
#define TRISECT_BACKENDS_CUDA_EMIT_SHAREDSUMS_H

#include "backends/cuda/emit/Emitter.h"

namespace trisect::cuda {

/// Blocks [batch][m][k] and [batch][k][n], row by row.
struct SharedSlice {
  struct Operand {
    llvm::Value *base = nullptr;
    int64_t offset = 0; ///< bytes behind the base
    DType type = DType::F32;
  };
  Operand a, b;
  int32_t m = 0, n = 0, k = 0;

  /// The address of an element of one operand; `batch` may be null.
  llvm::Value *address(Emitter &e, bool left, llvm::Value *batch, llvm::Value *row,
                       llvm::Value *column) const;
};

/// The sums that lie as `placement` says, in the format `compute`, with the products of a slice added.
Parts addProducts(Emitter &e, const SharedSlice &slice, const Placement &placement, const Parts &start,
                  DType compute, tt::InputPrecision precision);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMIT_SHAREDSUMS_H
