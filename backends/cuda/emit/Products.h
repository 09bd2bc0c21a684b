//===- Products.h - matrix products ---------------------------------------------------------------------===//
//
// What: what tt.dot and tt.dot_scaled share: a product of two blocks that lie in registers.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMIT_PRODUCTS_H
#define TRISECT_BACKENDS_CUDA_EMIT_PRODUCTS_H

#include "backends/cuda/emit/Emitter.h"

namespace trisect::cuda {

/// A block of a product: [batch,] rows, columns.
struct Factor {
  Parts parts;
  Placement placement; ///< of a buffer: its layout
  DType type;
  llvm::Value *buffer = nullptr; ///< the address of a buffer in shared memory that holds the block
  int32_t size(int fromEnd) const { return placement.layout().shape()[placement.layout().rank() - fromEnd]; }
};

/// a * b + c in the way that fits best. The result lies as c does.
Parts multiply(Emitter &e, mlir::Operation *op, const Factor &a, const Factor &b, const Factor &c,
               tt::InputPrecision precision);

/// a * b + c by the threads' own multiply-adds, for every type and precision. The result lies as c does.
Parts multiplyByThreads(Emitter &e, mlir::Operation *op, const Factor &a, const Factor &b, const Factor &c,
                        tt::InputPrecision precision);

/// The same by tensor cores; nothing if they have no instruction for these types and sizes.
std::optional<Parts> multiplyByTensorCores(Emitter &e, mlir::Operation *op, const Factor &a, const Factor &b,
                                           const Factor &c, tt::InputPrecision precision);

/// a * b + c where both come in small formats with scales. The result lies as c does.
Parts multiplyScaled(Emitter &e, tt::DotScaledOp op);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMIT_PRODUCTS_H
