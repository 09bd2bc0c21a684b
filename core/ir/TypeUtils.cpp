//===- TypeUtils.cpp - questions about types of TTIR ----------------------------------------------------===//
#include "core/ir/TypeUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace trisect::tt {

namespace {
std::optional<DType> dtypeOfInteger(IntegerType type) {
  switch (type.getWidth()) {
  case 1:
    return DType::I1;
  case 4:
    return DType::I4;
  case 8:
    return DType::I8;
  case 16:
    return DType::I16;
  case 32:
    return DType::I32;
  case 64:
    return DType::I64;
  default:
    return std::nullopt;
  }
}

bool isTileIf(Type type, bool (*predicate)(Type)) { return isTile(type) && predicate(elementOf(type)); }
bool isLikeIf(Type type, bool (*predicate)(Type)) { return predicate(type) || isTileIf(type, predicate); }
} // namespace

std::optional<DType> dtypeOf(Type type) {
  using Result = std::optional<DType>;
  return llvm::TypeSwitch<Type, Result>(type)
      .Case([](RankedTensorType tensor) { return dtypeOf(tensor.getElementType()); })
      .Case([](TensorDescType desc) { return dtypeOf(desc.getBlockType().getElementType()); })
      .Case([](PtrType) { return Result(DType::Ptr); })
      .Case([](IntegerType integer) { return dtypeOfInteger(integer); })
      .Case([](Float8E5M2Type) { return Result(DType::F8E5M2); })
      .Case([](Float8E4M3FNType) { return Result(DType::F8E4M3FN); })
      .Case([](Float8E5M2FNUZType) { return Result(DType::F8E5M2FNUZ); })
      .Case([](Float8E4M3FNUZType) { return Result(DType::F8E4M3FNUZ); })
      .Case([](Float16Type) { return Result(DType::F16); })
      .Case([](BFloat16Type) { return Result(DType::BF16); })
      .Case([](Float32Type) { return Result(DType::F32); })
      .Case([](Float64Type) { return Result(DType::F64); })
      .Default(Result());
}

Type typeOfDType(DType dtype, MLIRContext *context) {
  switch (dtype) {
  case DType::F8E5M2:
    return Float8E5M2Type::get(context);
  case DType::F8E4M3FN:
    return Float8E4M3FNType::get(context);
  case DType::F8E5M2FNUZ:
    return Float8E5M2FNUZType::get(context);
  case DType::F8E4M3FNUZ:
    return Float8E4M3FNUZType::get(context);
  case DType::F16:
    return Float16Type::get(context);
  case DType::BF16:
    return BFloat16Type::get(context);
  case DType::F32:
    return Float32Type::get(context);
  case DType::F64:
    return Float64Type::get(context);
  case DType::Ptr:
    return Type();
  default:
    return IntegerType::get(context, bitWidth(dtype));
  }
}

Type elementOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getElementType() : type;
}

ArrayRef<int64_t> shapeOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getShape() : ArrayRef<int64_t>();
}

int64_t numElementsOf(Type type) {
  int64_t count = 1;
  for (int64_t size : shapeOf(type))
    count *= size;
  return count;
}

Type withElement(Type shape, Type element) {
  auto tensor = dyn_cast<RankedTensorType>(shape);
  return tensor ? tensor.clone(element) : element;
}

Type pointeeOf(Type pointer) {
  PtrType ptr = pointerOf(pointer);
  return ptr ? withElement(pointer, ptr.getPointeeType()) : Type();
}

Type maskOf(Type type) { return withElement(type, IntegerType::get(type.getContext(), 1)); }

PtrType pointerOf(Type type) { return dyn_cast<PtrType>(elementOf(type)); }

unsigned elementBits(Type type) {
  std::optional<DType> dtype = dtypeOf(type);
  return dtype ? bitWidth(*dtype) : 0;
}

bool isIntElement(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer && integer.isSignless() && dtypeOfInteger(integer);
}

bool isFloatElement(Type type) {
  return isa<Float8E5M2Type, Float8E4M3FNType, Float8E5M2FNUZType, Float8E4M3FNUZType, Float16Type,
             BFloat16Type, Float32Type, Float64Type>(type);
}

bool isFloat8Element(Type type) { return isFloatElement(type) && type.getIntOrFloatBitWidth() == 8; }

bool isElement(Type type) { return isIntElement(type) || isFloatElement(type) || isa<PtrType>(type); }

bool isBlockPointer(Type type) {
  auto ptr = dyn_cast<PtrType>(type);
  return ptr && ptr.pointsToTensor();
}

bool isTile(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && isElement(tensor.getElementType());
}

bool isIntTile(Type type) { return isTileIf(type, isIntElement); }
bool isFloatTile(Type type) { return isTileIf(type, isFloatElement); }
bool isIntLike(Type type) { return isLikeIf(type, isIntElement); }
bool isFloatLike(Type type) { return isLikeIf(type, isFloatElement); }
bool isF32Like(Type type) {
  return isLikeIf(type, [](Type element) { return element.isF32(); });
}
bool isBoolLike(Type type) {
  return isLikeIf(type, [](Type element) { return element.isSignlessInteger(1); });
}
bool isI64Like(Type type) {
  return isLikeIf(type, [](Type element) { return element.isSignlessInteger(64); });
}
bool isPtrLike(Type type) {
  return isLikeIf(type, [](Type element) { return isa<PtrType>(element); });
}
bool isValueLike(Type type) { return isElement(type) || isTile(type); }

} // namespace trisect::tt
