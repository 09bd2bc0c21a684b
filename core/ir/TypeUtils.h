//===- TypeUtils.h - questions about types of TTIR ------------------------------------------------------===//
//
// What: element types, pointees and shapes of scalars and tensors, and the predicates behind the operand
// constraints of the dialect. Limits: a *tile* is a ranked tensor of static shape; *like* means a scalar or a
// tile of such.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_TYPEUTILS_H
#define TRISECT_CORE_IR_TYPEUTILS_H

#include "core/ir/Types.h"
#include "core/support/DType.h"
#include <optional>

namespace trisect::tt {

/// The element type of a scalar, a tensor or a descriptor's block as other rooms name it; pointers of any
/// kind are DType::Ptr. Nothing for types that a block cannot hold.
std::optional<DType> dtypeOf(mlir::Type type);
/// The MLIR type of an element; Ptr has none and gives null.
mlir::Type typeOfDType(DType dtype, mlir::MLIRContext *context);

/// The element type of a tile, else the type itself.
mlir::Type elementOf(mlir::Type type);
/// The dimensions of a tile; none for a scalar.
llvm::ArrayRef<int64_t> shapeOf(mlir::Type type);
int64_t numElementsOf(mlir::Type type);
/// A type of the same shape with another element type.
mlir::Type withElement(mlir::Type shape, mlir::Type element);
/// What an access through a pointer, a tile of pointers or a block pointer moves: `tensor<8x!tt.ptr<f32>>`
/// gives `tensor<8xf32>`. Null for other types.
mlir::Type pointeeOf(mlir::Type pointer);
/// i1 with the shape of a type.
mlir::Type maskOf(mlir::Type type);
/// The `!tt.ptr` of a pointer or a tile of pointers, else null.
PtrType pointerOf(mlir::Type type);
/// Bits of an element in a register; 64 for pointers, 0 for types that a block cannot hold.
unsigned elementBits(mlir::Type type);

bool isIntElement(mlir::Type type);
bool isFloatElement(mlir::Type type);
bool isFloat8Element(mlir::Type type);
/// Integer, float or pointer.
bool isElement(mlir::Type type);
bool isBlockPointer(mlir::Type type);
bool isTile(mlir::Type type);
bool isIntTile(mlir::Type type);
bool isFloatTile(mlir::Type type);
bool isIntLike(mlir::Type type);
bool isFloatLike(mlir::Type type);
bool isF32Like(mlir::Type type);
bool isBoolLike(mlir::Type type);
bool isI64Like(mlir::Type type);
/// Block pointers count.
bool isPtrLike(mlir::Type type);
bool isValueLike(mlir::Type type);

} // namespace trisect::tt

#endif // TRISECT_CORE_IR_TYPEUTILS_H
