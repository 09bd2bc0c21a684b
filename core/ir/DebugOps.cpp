//===- DebugOps.cpp - printing, assertions and foreign code ---------------------------------------------===//
#include "core/ir/DebugOps.h"
#include "core/ir/Libdevice.h"
#include "core/ir/TypeUtils.h"
#include "core/ir/Verify.h"

#define GET_OP_CLASSES
#include "core/ir/DebugOps.cpp.inc"

using namespace mlir;

namespace trisect::tt {

LogicalResult PrintOp::verify() {
  return expectCount(*this, "flags in isSigned", getIsSigned().size(), getArgs().size(),
                     "one for each argument");
}

//===----------------------------------------------------------------------------------------------------===//
// Text of tt.assert: older text names file, function and line, which become the location
//===----------------------------------------------------------------------------------------------------===//

static ParseResult parseOldPosition(OpAsmParser &parser, OperationState &result) {
  std::string file, function;
  unsigned line = 0;
  if (failed(parser.parseOptionalComma()))
    return success();
  if (parser.parseString(&file) || parser.parseComma() || parser.parseString(&function) ||
      parser.parseComma() || parser.parseInteger(line))
    return failure();
  result.location = FileLineColLoc::get(parser.getContext(), file, line, 0);
  return success();
}

ParseResult AssertOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand condition;
  StringAttr message;
  Type type;
  return failure(
      parser.parseOperand(condition) || parser.parseComma() ||
      parser.parseAttribute(message, parser.getBuilder().getNoneType(), "message", result.attributes) ||
      parseOldPosition(parser, result) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) || parser.resolveOperand(condition, type, result.operands));
}

void AssertOp::print(OpAsmPrinter &printer) {
  printer << " " << getCondition() << ", " << getMessageAttr();
  printer.printOptionalAttrDict((*this)->getAttrs(), {"message"});
  printer << " : " << getCondition().getType();
}

//===----------------------------------------------------------------------------------------------------===//
// Foreign code
//===----------------------------------------------------------------------------------------------------===//

static Speculation::Speculatability speculatability(bool pure) {
  return pure ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

static void addEffects(bool pure,
                       SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (pure)
    return;
  effects.emplace_back(MemoryEffects::Read::get(), GlobalMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), GlobalMemory::get());
}

/// Tensors among operands and results have one shape; scalars stand beside scalars.
static LogicalResult verifyOneShape(Operation *op) {
  Type first = op->getNumOperands() ? op->getOperand(0).getType() : op->getResult(0).getType();
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    if (failed(expectSameShape(op, ("operand #" + Twine(index)).str(), type, "operand #0", first)))
      return failure();
  for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
    if (failed(expectSameShape(op, ("result #" + Twine(index)).str(), type,
                               op->getNumOperands() ? "operand #0" : "result #0", first)))
      return failure();
  return success();
}

LogicalResult ExternElementwiseOp::verify() {
  if (getSymbol().empty())
    return emitOpError() << "expected the name of a function in 'symbol', but found an empty string";
  if (failed(verifyOneShape(*this)))
    return failure();
  return verifyLibdeviceCall(*this, getSymbol());
}

Speculation::Speculatability ExternElementwiseOp::getSpeculatability() { return speculatability(getPure()); }

void ExternElementwiseOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  addEffects(getPure(), effects);
}

LogicalResult ElementwiseInlineAsmOp::verify() {
  if (getNumResults() == 0)
    return emitOpError() << "expected at least one result, but found none";
  if (getPackedElement() < 1)
    return emitOpError() << "expected packed_element of at least 1, but found " << getPackedElement();
  return verifyOneShape(*this);
}

Speculation::Speculatability ElementwiseInlineAsmOp::getSpeculatability() {
  return speculatability(getPure());
}

void ElementwiseInlineAsmOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  addEffects(getPure(), effects);
}

} // namespace trisect::tt
