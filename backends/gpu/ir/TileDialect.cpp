//===- TileDialect.cpp - layouts as attributes, buffers as types ----------------------------------------===//
#include "backends/gpu/ir/TileDialect.h"
#include "backends/gpu/layouts/Conversion.h"
#include "core/ir/Dialect.h"
#include "core/ir/TypeUtils.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "backends/gpu/ir/TileDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "backends/gpu/ir/TileAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "backends/gpu/ir/TileTypes.cpp.inc"

using namespace mlir;

namespace trisect::gpu {

namespace {
/// Layouts are long: they are named once, atop the module.
struct Aliases : public OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attribute, raw_ostream &stream) const final {
    if (!isa<LayoutAttr>(attribute))
      return AliasResult::NoAlias;
    stream << "layout";
    return AliasResult::FinalAlias;
  }
};
} // namespace

void TileDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "backends/gpu/ir/TileOps.cpp.inc"
      >();
  addInterfaces<Aliases>();
}

void TileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "backends/gpu/ir/TileAttrs.cpp.inc"
      >();
}

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "backends/gpu/ir/TileTypes.cpp.inc"
      >();
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  std::string text;
  if (parser.parseLess())
    return {};
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseString(&text) || parser.parseGreater())
    return {};
  std::optional<Layout> layout = Layout::parse(text);
  if (!layout) {
    parser.emitError(where)
        << "expected a layout such as \"16x8 reg 0,1 lane 0,2 0,4 1,0 2,0 4,0 warp 8,0\", but found \""
        << text << "\"";
    return {};
  }
  return parser.getChecked<LayoutAttr>(where, parser.getContext(), *layout);
}

void LayoutAttr::print(AsmPrinter &printer) const { printer << "<\"" << getLayout().str() << "\">"; }

// NOLINTNEXTLINE(performance-unnecessary-value-param): as the generated declaration has it
LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError, Layout layout) {
  if (layout.freeBits(Bits::Register) || layout.freeBits(Bits::Offset))
    return emitError() << "expected a layout whose registers hold each element once, but found \""
                       << layout.str() << "\"";
  if (!layout.covers())
    return emitError() << "expected a layout that holds every element, but found \"" << layout.str() << "\"";
  return success();
}

LogicalResult LayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                         function_ref<InFlightDiagnostic()> emitError) const {
  const std::vector<int32_t> &own = getLayout().shape();
  if (std::equal(shape.begin(), shape.end(), own.begin(), own.end()))
    return success();
  InFlightDiagnostic error = emitError() << "expected a layout of a tensor of shape [";
  llvm::interleaveComma(shape, error);
  return error << "], but found \"" << getLayout().str() << "\"";
}

Type BufferType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  LayoutAttr layout;
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(element) || parser.parseComma() || parser.parseAttribute(layout) ||
      parser.parseGreater())
    return {};
  auto block = parser.getChecked<RankedTensorType>(where, shape, element, layout);
  return block ? parser.getChecked<BufferType>(where, parser.getContext(), block) : Type();
}

void BufferType::print(AsmPrinter &printer) const {
  printer << "<";
  for (int64_t size : getShape())
    printer << size << "x";
  printer << getElementType() << ", " << getBlockType().getEncoding() << ">";
}

LogicalResult BufferType::verify(function_ref<InFlightDiagnostic()> emitError, RankedTensorType block) {
  auto layout = llvm::dyn_cast_or_null<LayoutAttr>(block.getEncoding());
  if (!tt::isTile(block) || !layout)
    return emitError() << "expected a buffer of integers, floats or pointers with a layout, but found "
                       << block;
  if (layout.getLayout().bits(Bits::Offset) != layout.getLayout().inputBits())
    return emitError() << "expected a layout of offsets alone, but found \"" << layout.getLayout().str()
                       << "\"";
  return success();
}

const Layout &BufferType::getLayout() const {
  return llvm::cast<LayoutAttr>(getBlockType().getEncoding()).getLayout();
}

int64_t BufferType::getBytes() const {
  return tt::numElementsOf(getBlockType()) * sharedBytesOf(getElementType());
}

const Layout *layoutOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto layout = tensor ? dyn_cast_or_null<LayoutAttr>(tensor.getEncoding()) : LayoutAttr();
  return layout ? &layout.getLayout() : nullptr;
}

RankedTensorType withLayout(Type tensor, const Layout &layout) {
  auto type = cast<RankedTensorType>(tensor);
  return RankedTensorType::get(type.getShape(), type.getElementType(),
                               LayoutAttr::get(type.getContext(), layout));
}

std::vector<int32_t> shapeOfLayout(Type tensor) {
  ArrayRef<int64_t> shape = tt::shapeOf(tensor);
  return {shape.begin(), shape.end()};
}

int64_t sharedBytesOf(Type element) { return bytesInShared(tt::elementBits(element)); }

int64_t slotBytes(BufferType type) { return llvm::alignTo(type.getBytes(), kBufferAlignment); }

BufferOp bufferBehind(Value value) {
  if (auto slot = value.getDefiningOp<SlotOp>())
    value = slot.getBuffer();
  return value.getDefiningOp<BufferOp>();
}

} // namespace trisect::gpu
