//===- BlockAddress.h - pointers and masks of a block of a strided tensor -------------------------------===//
//
// What: builds the positions of a block's elements along each dimension, the tensor of pointers to them, and
// the mask of those that lie in the tensor. Why: block pointers and descriptors name the same elements.
// Limits: positions are i64, so that no offset of a tensor that fits memory wraps.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_PASSES_BLOCKADDRESS_H
#define TRISECT_CORE_PASSES_BLOCKADDRESS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace trisect::tt {

class BlockAddress {
public:
  /// Everything is built with one location; `block` is the shape of the block.
  BlockAddress(mlir::OpBuilder &builder, mlir::Location location, llvm::ArrayRef<int64_t> block)
      : builder(builder), location(location), block(block) {}

  /// Adds the next dimension, whose elements lie at offset, offset + 1, ...; offset is i32 or i64.
  void addRange(mlir::Value offset);
  /// Adds the next dimension, whose elements lie where a 1-d tensor of integers says.
  void addIndices(mlir::Value indices);

  /// base + the sum of position times stride. All dimensions must have been added.
  mlir::Value pointers(mlir::Value base, mlir::ValueRange strides);
  /// True where 0 <= position < shape in each of the dimensions named; null if none is named.
  mlir::Value mask(mlir::ValueRange shape, llvm::ArrayRef<int32_t> dimensions);
  /// A block of zeros, or of NaN.
  mlir::Value padding(mlir::Type element, bool nan);

private:
  mlir::Type i64Block(llvm::ArrayRef<int64_t> shape);
  mlir::Value widen(mlir::Value value);
  mlir::Value broadcast(mlir::Value value);
  void addDimension(mlir::Value positions);

  mlir::OpBuilder &builder;
  mlir::Location location;
  llvm::SmallVector<int64_t> block;
  /// For each dimension, a block of that length whose other dimensions are 1.
  llvm::SmallVector<mlir::Value> positions;
};

} // namespace trisect::tt

#endif // TRISECT_CORE_PASSES_BLOCKADDRESS_H
