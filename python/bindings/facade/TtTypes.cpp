//===- TtTypes.cpp - the dialect's own types behind the facade ------------------------------------------===//
#include "mlir/IR/BuiltinTypes.h"
#include "python/bindings/facade/IrState.h"

namespace trisect::ir {

Type Context::pointerType(const Type &element, int addressSpace) const {
  requireContext(state, element, "the element type");
  std::string text = "!tt.ptr<" + element.str();
  if (addressSpace != 1)
    text += ", " + std::to_string(addressSpace);
  return parseType(text + ">");
}

Type Context::tensorDescType(std::span<const int64_t> shape, const Type &element,
                             std::string_view signedness) const {
  requireContext(state, element, "the element type");
  std::string text = "!tt.tensordesc<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  if (element.isInteger())
    text += signedness == "signed" ? "s" : signedness == "unsigned" ? "u" : "";
  return parseType(text + element.str() + ">");
}

std::vector<int64_t> Type::shape() const {
  if (auto tensor = mlir::dyn_cast<mlir::ShapedType>(unwrap(*this)))
    return tensor.getShape().vec();
  return {};
}

Type Type::element() const {
  mlir::Type type = unwrap(*this);
  if (auto tensor = mlir::dyn_cast<mlir::ShapedType>(type))
    return wrap(context, tensor.getElementType());
  mlir::Type inner;
  if (isPointer() || isTensorDesc())
    type.walkImmediateSubElements([](mlir::Attribute) {}, [&](mlir::Type found) { inner = found; });
  return inner ? wrap(context, inner) : *this;
}

} // namespace trisect::ir
