//===- Context.cpp - types, attributes and locations ----------------------------------------------------===//
#include "core/ir/DiagnosticCollector.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinTypes.h"
#include "python/bindings/facade/IrState.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace trisect::ir {

namespace {

template <typename Printable> std::string print(const Printable &item) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  item.print(stream);
  return text;
}

llvm::StringRef ref(std::string_view text) { return {text.data(), text.size()}; }

} // namespace

Context Context::create() { return {std::make_shared<ContextState>()}; }

Type Context::parseType(std::string_view text) const {
  mlir::MLIRContext *context = mlirContext(state);
  tt::DiagnosticCollector diagnostics(*context);
  size_t read = 0;
  mlir::Type type = mlir::parseType(ref(text), context, &read);
  if (!type)
    diagnostics.throwInvalidInput("not a type: '" + std::string(text) + "'");
  if (read != text.size())
    throw InvalidInput("not a type: '" + std::string(text) + "', text goes on after " + print(type));
  return wrap(state, type);
}

Type Context::intType(unsigned bits) const {
  if (bits == 0 || bits > mlir::IntegerType::kMaxWidth)
    throw InvalidInput("no integer type has " + std::to_string(bits) + " bits");
  return wrap(state, mlir::IntegerType::get(mlirContext(state), bits));
}

Type Context::floatType(std::string_view name) const {
  Type type = parseType(name);
  if (!type.isFloat())
    throw InvalidInput("'" + std::string(name) +
                       "' is not a float type; expected f16, bf16, f32, f64, "
                       "f8E5M2, f8E4M3FN, f8E5M2FNUZ or f8E4M3FNUZ");
  return type;
}

Type Context::indexType() const { return wrap(state, mlir::IndexType::get(mlirContext(state))); }

Type Context::tensorType(std::span<const int64_t> shape, const Type &element) const {
  requireContext(state, element, "the element type");
  mlir::MLIRContext *context = mlirContext(state);
  tt::DiagnosticCollector diagnostics(*context);
  mlir::Type type = mlir::RankedTensorType::getChecked(
      [&] { return mlir::emitError(mlir::UnknownLoc::get(context)); },
      llvm::ArrayRef(shape.data(), shape.size()), unwrap(element), mlir::Attribute());
  if (!type)
    diagnostics.throwInvalidInput("not a tensor type");
  return wrap(state, type);
}

Attribute Context::parseAttribute(std::string_view text) const {
  mlir::MLIRContext *context = mlirContext(state);
  tt::DiagnosticCollector diagnostics(*context);
  mlir::Attribute attribute = mlir::parseAttribute(ref(text), context);
  if (!attribute)
    diagnostics.throwInvalidInput("not an attribute: '" + std::string(text) + "'");
  return wrap(state, attribute);
}

Attribute Context::unitAttribute() const { return wrap(state, mlir::UnitAttr::get(mlirContext(state))); }

Attribute Context::boolAttribute(bool value) const {
  return wrap(state, mlir::BoolAttr::get(mlirContext(state), value));
}

Attribute Context::intAttribute(int64_t value, unsigned bits) const {
  return wrap(state, mlir::IntegerAttr::get(unwrap(intType(bits)), llvm::APInt(bits, uint64_t(value))));
}

Attribute Context::floatAttribute(double value, std::string_view type) const {
  return wrap(state, mlir::FloatAttr::get(unwrap(floatType(type)), value));
}

Attribute Context::stringAttribute(std::string_view value) const {
  return wrap(state, mlir::StringAttr::get(mlirContext(state), ref(value)));
}

Attribute Context::symbolAttribute(std::string_view value) const {
  return wrap(state, mlir::FlatSymbolRefAttr::get(mlirContext(state), ref(value)));
}

Attribute Context::typeAttribute(const Type &type) const {
  requireContext(state, type, "the type");
  return wrap(state, mlir::TypeAttr::get(unwrap(type)));
}

Attribute Context::intArrayAttribute(std::span<const int64_t> values, unsigned bits) const {
  mlir::MLIRContext *context = mlirContext(state);
  if (bits == 64)
    return wrap(state, mlir::DenseI64ArrayAttr::get(context, {values.data(), values.size()}));
  if (bits != 32)
    throw InvalidInput("an integer array has 32 or 64 bits, not " + std::to_string(bits));
  return wrap(state,
              mlir::DenseI32ArrayAttr::get(context, std::vector<int32_t>(values.begin(), values.end())));
}

Attribute Context::dictAttribute(std::span<const NamedAttribute> entries) const {
  mlir::NamedAttrList list;
  for (const auto &[name, attribute] : entries) {
    requireContext(state, attribute, "the attribute");
    list.set(ref(name), unwrap(attribute));
  }
  return wrap(state, list.getDictionary(mlirContext(state)));
}

Location Context::fileLocation(std::string_view file, int line, int column) const {
  return wrapLocation(state,
                      mlir::FileLineColLoc::get(mlirContext(state), ref(file), unsigned(std::max(line, 0)),
                                                unsigned(std::max(column, 0))));
}

Location Context::nameLocation(std::string_view name, const Location &child) const {
  requireContext(state, child, "the location");
  return wrapLocation(
      state, mlir::NameLoc::get(mlir::StringAttr::get(mlirContext(state), ref(name)), unwrap(child)));
}

Location Context::callSiteLocation(const Location &callee, const Location &caller) const {
  requireContext(state, callee, "the location");
  requireContext(state, caller, "the location");
  return wrapLocation(state, mlir::CallSiteLoc::get(unwrap(callee), unwrap(caller)));
}

Location Context::unknownLocation() const {
  return wrapLocation(state, mlir::UnknownLoc::get(mlirContext(state)));
}

bool Context::isRegistered(std::string_view operation) const {
  return mlir::RegisteredOperationName::lookup(ref(operation), mlirContext(state)).has_value();
}

std::string Type::str() const { return print(unwrap(*this)); }
bool Type::isTensor() const { return mlir::isa<mlir::RankedTensorType>(unwrap(*this)); }
bool Type::isInteger() const { return mlir::isa<mlir::IntegerType>(unwrap(*this)); }
bool Type::isFloat() const { return mlir::isa<mlir::FloatType>(unwrap(*this)); }

unsigned Type::bitWidth() const {
  mlir::Type type = unwrap(*this);
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
}

std::string Attribute::str() const { return print(unwrap(*this)); }

PlainValue Attribute::value() const {
  mlir::Attribute attribute = unwrap(*this);
  if (auto value = mlir::dyn_cast<mlir::BoolAttr>(attribute))
    return value.getValue();
  if (auto value = mlir::dyn_cast<mlir::IntegerAttr>(attribute)) {
    if (value.getValue().getSignificantBits() <= 64)
      return value.getValue().getSExtValue();
    return {};
  }
  if (auto value = mlir::dyn_cast<mlir::FloatAttr>(attribute))
    return value.getValueAsDouble();
  if (auto value = mlir::dyn_cast<mlir::StringAttr>(attribute))
    return value.getValue().str();
  if (auto value = mlir::dyn_cast<mlir::FlatSymbolRefAttr>(attribute))
    return value.getValue().str();
  if (auto value = mlir::dyn_cast<mlir::DenseI32ArrayAttr>(attribute))
    return std::vector<int64_t>(value.asArrayRef().begin(), value.asArrayRef().end());
  if (auto value = mlir::dyn_cast<mlir::DenseI64ArrayAttr>(attribute))
    return std::vector<int64_t>(value.asArrayRef().begin(), value.asArrayRef().end());
  return {};
}

std::string Location::str() const { return print(unwrap(*this)); }
SourcePosition Location::position() const { return filePosition(unwrap(*this)); }

} // namespace trisect::ir
