//===- LegacyOps.cpp - text of operations that exist only between the parser and the upgrade ------------===//
#include "core/ir/LegacyOps.h"
#include "core/ir/TypeUtils.h"
#include "core/ir/Verify.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OpImplementation.h"

namespace trisect::tt {
static bool isDescriptorOrPointer(mlir::Type type) { return mlir::isa<TensorDescType, PtrType>(type); }
} // namespace trisect::tt

#define GET_OP_CLASSES
#include "core/ir/LegacyOps.cpp.inc"

using namespace mlir;

namespace trisect::tt {

//===----------------------------------------------------------------------------------------------------===//
// Descriptors: a raw pointer becomes a descriptor of the moved block, which must exist
//===----------------------------------------------------------------------------------------------------===//

static LogicalResult verifyDescribable(Operation *op, Type block, bool rows) {
  int64_t rank = shapeOf(block).size();
  if (rank == 0 || (rows && rank != 2) || isPtrLike(block))
    return op->emitOpError() << "expected a block of integers or floats of "
                             << (rows ? "rank 2" : "rank 1 or more") << ", but found " << block;
  return success();
}

LogicalResult ExperimentalDescriptorLoadOp::verify() { return verifyDescribable(*this, getType(), false); }
LogicalResult ExperimentalDescriptorStoreOp::verify() {
  return verifyDescribable(*this, getSrc().getType(), false);
}
LogicalResult ExperimentalDescriptorGatherOp::verify() { return verifyDescribable(*this, getType(), true); }
LogicalResult ExperimentalDescriptorScatterOp::verify() {
  return verifyDescribable(*this, getSrc().getType(), true);
}

//===----------------------------------------------------------------------------------------------------===//
// Assumptions: `%c ["align"(%p, %n : !tt.ptr<f32>, i64), ...] : i1`
//===----------------------------------------------------------------------------------------------------===//

static ParseResult parseBundle(OpAsmParser &parser, OperationState &result) {
  std::string tag;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseString(&tag) || parser.parseLParen())
    return failure();
  if (succeeded(parser.parseOptionalRParen()))
    return success();
  return failure(parser.parseOperandList(operands) || parser.parseColonTypeList(types) ||
                 parser.parseRParen() || parser.resolveOperands(operands, types, where, result.operands));
}

ParseResult AssumeOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand condition;
  if (parser.parseOperand(condition) ||
      parser.resolveOperand(condition, parser.getBuilder().getI1Type(), result.operands) ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::OptionalSquare,
                                     [&] { return parseBundle(parser, result); }) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon())
    return failure();
  Type type;
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseType(type))
    return failure();
  if (!type.isSignlessInteger(1))
    return parser.emitError(where) << "expected i1, but found " << type;
  return success();
}

void AssumeOp::print(OpAsmPrinter &printer) {
  printer << " " << getCondition();
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : i1";
}

//===----------------------------------------------------------------------------------------------------===//
// Unsigned loops: the text of scf.for
//===----------------------------------------------------------------------------------------------------===//

ParseResult UForOp::parse(OpAsmParser &parser, OperationState &result) {
  return scf::ForOp::parse(parser, result);
}

LogicalResult UForOp::verify() {
  if (getNumOperands() < 3 || getNumResults() != getNumOperands() - 3 ||
      getBody().getNumArguments() != getNumResults() + 1)
    return emitOpError()
           << "expected lower bound, upper bound and step, then as many initial values as results and "
              "as the body takes beside the counter, but found "
           << getNumOperands() << " operands, " << getNumResults() << " results and "
           << getBody().getNumArguments() << " arguments of the body";
  Type counter = getBody().getArgument(0).getType();
  if (!counter.isIndex() && !isIntElement(counter))
    return emitOpError() << "expected an integer counter, but found " << counter;
  for (Value bound : getOperands().take_front(3))
    if (failed(expectType(*this, "bounds and step", bound.getType(), counter)))
      return failure();
  for (auto [init, argument, result] :
       llvm::zip_equal(getOperands().drop_front(3), getBody().getArguments().drop_front(), getResults()))
    if (failed(expectType(*this, "argument of the body", argument.getType(), init.getType())) ||
        failed(expectType(*this, "result", result.getType(), init.getType())))
      return failure();
  return success();
}

void UForOp::print(OpAsmPrinter &printer) { printer.printGenericOp(*this, /*printOpName=*/false); }

} // namespace trisect::tt
