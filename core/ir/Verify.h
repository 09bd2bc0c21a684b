//===- Verify.h - sentences that verifiers share --------------------------------------------------------===//
//
// What: checks whose message says what was expected and what was found.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_VERIFY_H
#define TRISECT_CORE_IR_VERIFY_H

#include "mlir/IR/Operation.h"
#include <optional>

namespace trisect::tt {

/// `what` ("mask", "result") must have exactly this type.
mlir::LogicalResult expectType(mlir::Operation *op, llvm::StringRef what, mlir::Type found,
                               mlir::Type expected);
/// `what` must have the shape of `reference` ("pointer"); both may be scalars.
mlir::LogicalResult expectSameShape(mlir::Operation *op, llvm::StringRef what, mlir::Type found,
                                    llvm::StringRef reference, mlir::Type expected);
/// `what` must have this many of something ("offsets", 2, 3, "the block has 3 dimensions").
mlir::LogicalResult expectCount(mlir::Operation *op, llvm::StringRef what, size_t found, size_t expected,
                                llvm::StringRef why);
mlir::LogicalResult expectRank(mlir::Operation *op, llvm::StringRef what, mlir::Type found, int64_t rank);
/// An attribute that numbers a dimension: 0 <= axis < rank.
mlir::LogicalResult expectAxis(mlir::Operation *op, int64_t axis, int64_t rank);
/// 0 ... rank-1, each once.
mlir::LogicalResult expectPermutation(mlir::Operation *op, llvm::ArrayRef<int32_t> order, int64_t rank);

/// A shape as `[8, 4]`.
std::string shapeText(llvm::ArrayRef<int64_t> shape);

} // namespace trisect::tt

#endif // TRISECT_CORE_IR_VERIFY_H
