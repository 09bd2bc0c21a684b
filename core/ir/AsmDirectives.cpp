//===- AsmDirectives.cpp - pieces of custom assembly that several ops share -----------------------------===//
#include "core/ir/AsmDirectives.h"

using namespace mlir;

namespace trisect::tt {

ParseResult parseAccessTypes(OpAsmParser &parser, Type ptr, const OptionalOperand &mask,
                             const OptionalOperand &other, Type &maskType, Type &otherType, Type &result) {
  result = pointeeOf(ptr);
  if (!result)
    return parser.emitError(parser.getNameLoc())
           << "expected a pointer or a tensor of pointers, but got " << ptr;
  if (mask)
    maskType = maskOf(result);
  if (other)
    otherType = result;
  return success();
}

ParseResult parseStoreTypes(OpAsmParser &parser, Type ptr, const OptionalOperand &mask, Type &value,
                            Type &maskType) {
  Type noOther;
  return parseAccessTypes(parser, ptr, mask, std::nullopt, maskType, noOther, value);
}

ParseResult parseShortType(OpAsmParser &parser, Type &type) {
  PtrType ptr;
  if (parser.parseCustomTypeWithFallback(ptr))
    return failure();
  type = ptr;
  return success();
}

void printShortType(OpAsmPrinter &printer, Operation *, Type type) {
  printer.printStrippedAttrOrType(cast<PtrType>(type));
}

ParseResult parseBaseOfBlockPtr(OpAsmParser &parser, Type blockPtr, Type &base) {
  if (!isBlockPointer(blockPtr))
    return parser.emitError(parser.getNameLoc()) << "expected a pointer to a tensor, but got " << blockPtr;
  auto ptr = cast<PtrType>(blockPtr);
  base = PtrType::get(elementOf(ptr.getPointeeType()), ptr.getAddressSpace());
  return success();
}

} // namespace trisect::tt
