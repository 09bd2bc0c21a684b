//===- TtTypes.cpp - the dialect's own types behind the facade ------------------------------------------===//
#include "core/ir/DiagnosticCollector.h"
#include "core/ir/Types.h"
#include "python/bindings/facade/IrState.h"

namespace trisect::ir {

Type Context::pointerType(const Type &element, int addressSpace) const {
  requireContext(state, element, "the element type");
  mlir::MLIRContext *context = mlirContext(state);
  if (addressSpace < 0)
    throw InvalidInput("no address space has number " + std::to_string(addressSpace));
  tt::DiagnosticCollector diagnostics(*context);
  auto type = tt::PtrType::getChecked([&] { return mlir::emitError(mlir::UnknownLoc::get(context)); },
                                      unwrap(element), unsigned(addressSpace));
  if (!type)
    diagnostics.throwInvalidInput("not a pointer type");
  return wrap(state, type);
}

Type Context::tensorDescType(std::span<const int64_t> shape, const Type &element,
                             std::string_view signedness) const {
  mlir::MLIRContext *context = mlirContext(state);
  Type signedElement = element;
  if (!signedness.empty()) {
    if (!element.isInteger() || (signedness != "signed" && signedness != "unsigned"))
      throw InvalidInput("signedness is 'signed' or 'unsigned', for an integer type, not '" +
                         std::string(signedness) + "' for " + element.str());
    signedElement = wrap(state, mlir::IntegerType::get(context, element.bitWidth(),
                                                       signedness == "signed" ? mlir::IntegerType::Signed
                                                                              : mlir::IntegerType::Unsigned));
  }
  auto block = mlir::cast<mlir::RankedTensorType>(unwrap(tensorType(shape, signedElement)));
  tt::DiagnosticCollector diagnostics(*context);
  auto type =
      tt::TensorDescType::getChecked([&] { return mlir::emitError(mlir::UnknownLoc::get(context)); }, block);
  if (!type)
    diagnostics.throwInvalidInput("not a tensor descriptor type");
  return wrap(state, type);
}

bool Type::isPointer() const { return mlir::isa<tt::PtrType>(unwrap(*this)); }
bool Type::isTensorDesc() const { return mlir::isa<tt::TensorDescType>(unwrap(*this)); }

std::vector<int64_t> Type::shape() const {
  mlir::Type type = unwrap(*this);
  if (auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type))
    return tensor.getShape().vec();
  if (auto descriptor = mlir::dyn_cast<tt::TensorDescType>(type))
    return descriptor.getShape().vec();
  return {};
}

Type Type::element() const {
  mlir::Type type = unwrap(*this);
  if (auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type))
    return wrap(context, tensor.getElementType());
  if (auto pointer = mlir::dyn_cast<tt::PtrType>(type))
    return wrap(context, pointer.getPointeeType());
  if (auto descriptor = mlir::dyn_cast<tt::TensorDescType>(type))
    return wrap(context, descriptor.getBlockType().getElementType());
  return *this;
}

} // namespace trisect::ir
