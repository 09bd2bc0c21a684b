//===- Types.cpp - text and rules of !tt.ptr and !tt.tensordesc -----------------------------------------===//
//
// What: both spellings of address spaces (a number, or a word) and of descriptors (with and without
// `tensor<>`).
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/Types.h"
#include "core/ir/Dialect.h"
#include "core/ir/TypeUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#define GET_TYPEDEF_CLASSES
#include "core/ir/Types.cpp.inc"

using namespace mlir;

namespace trisect::tt {

void TTDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "core/ir/Types.cpp.inc"
      >();
}

static constexpr llvm::StringLiteral constantWord = "constant";
static constexpr llvm::StringLiteral globalWord = "global";
/// What LLVM can express.
static constexpr int64_t kMaxAddressSpace = (1 << 24) - 1;

static ParseResult parseAddressSpace(AsmParser &parser, unsigned &space) {
  std::string word;
  SMLoc where = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalString(&word))) {
    if (word != constantWord && word != globalWord)
      return parser.emitError(where) << "expected the address space \"" << globalWord << "\", \""
                                     << constantWord << "\" or a number, but found \"" << word << "\"";
    space = word == constantWord ? PtrType::kConstantAddressSpace : PtrType::kGlobalAddressSpace;
    return success();
  }
  int64_t number = 0;
  if (parser.parseInteger(number))
    return failure();
  if (number < 0 || number > kMaxAddressSpace)
    return parser.emitError(where) << "expected an address space from 0 to " << kMaxAddressSpace
                                   << ", but found " << number;
  space = number;
  return success();
}

Type PtrType::parse(AsmParser &parser) {
  Type pointee;
  unsigned space = kGlobalAddressSpace;
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseType(pointee))
    return Type();
  if (succeeded(parser.parseOptionalComma()) && parseAddressSpace(parser, space))
    return Type();
  if (parser.parseGreater())
    return Type();
  return parser.getChecked<PtrType>(where, pointee, space);
}

void PtrType::print(AsmPrinter &printer) const {
  printer << "<" << getPointeeType();
  if (getAddressSpace() == kConstantAddressSpace)
    printer << ", \"" << constantWord << "\"";
  else if (getAddressSpace() != kGlobalAddressSpace)
    printer << ", " << getAddressSpace();
  printer << ">";
}

LogicalResult PtrType::verify(function_ref<InFlightDiagnostic()> emitError, Type pointee, unsigned) {
  if (isElement(pointee) || isTile(pointee))
    return success();
  return emitError() << "expected a pointer to an integer, float, pointer or tensor of them, but found "
                     << pointee;
}

/// `16x8xf32` after `<`; the dimensions and `x` belong to one token that only the dimension parser can split.
static RankedTensorType parseBareBlock(AsmParser &parser, SMLoc where) {
  SmallVector<int64_t> shape;
  Type element;
  if (parser.parseDimensionList(shape, /*allowDynamic=*/false) || parser.parseType(element))
    return {};
  return parser.getChecked<RankedTensorType>(where, shape, element, Attribute());
}

Type TensorDescType::parse(AsmParser &parser) {
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseLess())
    return Type();
  SMLoc blockAt = parser.getCurrentLocation();
  Type parsed;
  RankedTensorType block;
  OptionalParseResult spelledOut = parser.parseOptionalType(parsed);
  if (spelledOut.has_value()) {
    if (failed(*spelledOut))
      return Type();
    block = llvm::dyn_cast<RankedTensorType>(parsed);
    if (!block) {
      parser.emitError(blockAt)
          << "expected the block of a tensor descriptor, as 16x8xf32 or tensor<16x8xf32>, but "
             "found "
          << parsed;
      return Type();
    }
  } else if (!(block = parseBareBlock(parser, blockAt))) {
    return Type();
  }
  if (succeeded(parser.parseOptionalComma())) {
    Attribute layout;
    if (succeeded(parser.parseAttribute(layout)))
      parser.emitError(blockAt) << "expected a tensor descriptor without a layout, but found the layout "
                                << layout;
    return Type();
  }
  if (parser.parseGreater())
    return Type();
  return parser.getChecked<TensorDescType>(where, block);
}

void TensorDescType::print(AsmPrinter &printer) const { printer << "<" << getBlockType() << ">"; }

LogicalResult TensorDescType::verify(function_ref<InFlightDiagnostic()> emitError, RankedTensorType block) {
  if (block.getRank() == 0)
    return emitError() << "expected a descriptor of a block with at least one dimension, but found " << block;
  Type element = block.getElementType();
  auto integer = llvm::dyn_cast<IntegerType>(element);
  if (!isFloatElement(element) && !(integer && dtypeOf(integer)))
    return emitError() << "expected a descriptor of integers or floats, but found " << block;
  if (block.getEncoding())
    return emitError() << "expected a tensor descriptor without a layout, but found the layout "
                       << block.getEncoding();
  return success();
}

RankedTensorType TensorDescType::getSignlessBlockType() const {
  auto integer = llvm::dyn_cast<IntegerType>(getBlockType().getElementType());
  return integer ? getBlockType().clone(IntegerType::get(getContext(), integer.getWidth())) : getBlockType();
}

} // namespace trisect::tt
