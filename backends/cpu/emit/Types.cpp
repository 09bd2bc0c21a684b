//===- Types.cpp - TTIR element types in emitted code ---------------------------------------------------===//
#include "backends/cpu/emit/Types.h"
#include "core/ir/TypeUtils.h"
#include "core/support/Outcome.h"

using namespace mlir;

namespace trisect::cpu {

Type ttElement(Type type) { return tt::elementOf(type); }
ArrayRef<int64_t> ttShape(Type type) { return tt::shapeOf(type); }
Type pointee(Type type) { return tt::pointerOf(type).getPointeeType(); }

DType dtypeOf(Type element) {
  if (element.isIndex())
    return DType::I64;
  if (std::optional<DType> known = tt::dtypeOf(element))
    return *known;
  std::string text;
  llvm::raw_string_ostream(text) << element;
  throw Unsupported("the cpu tier has no code for values of type '" + text + "'");
}

Type emittedType(Type element) {
  MLIRContext *context = element.getContext();
  switch (dtypeOf(element)) {
  case DType::I4:
  case DType::F8E5M2:
  case DType::F8E4M3FN:
  case DType::F8E5M2FNUZ:
  case DType::F8E4M3FNUZ:
    return IntegerType::get(context, 8);
  case DType::BF16:
    return IntegerType::get(context, 16);
  case DType::Ptr:
    return IntegerType::get(context, 64);
  default:
    return element.isIndex() ? IntegerType::get(context, 64) : element;
  }
}

Type memoryType(Type element) {
  Type type = emittedType(element);
  return type.isInteger(1) ? IntegerType::get(type.getContext(), 8) : type;
}

unsigned memoryBytes(Type element) { return byteSize(dtypeOf(element)); }

bool isNarrowFloat(Type element) { return isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32; }

} // namespace trisect::cpu
