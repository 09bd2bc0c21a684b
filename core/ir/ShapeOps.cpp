//===- ShapeOps.cpp - making blocks and moving their elements -------------------------------------------===//
#include "core/ir/ShapeOps.h"
#include "core/ir/AsmDirectives.h"
#include "core/ir/Verify.h"

#define GET_OP_CLASSES
#include "core/ir/ShapeOps.cpp.inc"

using namespace mlir;

namespace trisect::tt {

static LogicalResult expectElement(Operation *op, Type result, Type source) {
  if (elementOf(result) == elementOf(source))
    return success();
  return op->emitOpError() << "expected a result with elements of type " << elementOf(source)
                           << ", but found " << result;
}

LogicalResult MakeRangeOp::verify() {
  auto type = cast<RankedTensorType>(getType());
  if (getStart() >= getEnd())
    return emitOpError() << "expected start below end, but found start " << getStart() << " and end "
                         << getEnd();
  int64_t length = int64_t(getEnd()) - getStart();
  if (type.getRank() != 1 || !type.getElementType().isSignlessInteger(32) || type.getDimSize(0) != length)
    return emitOpError() << "expected a result of type tensor<" << length << "xi32>, since start is "
                         << getStart() << " and end is " << getEnd() << ", but found " << type;
  return success();
}

LogicalResult SplatOp::verify() { return expectElement(*this, getType(), getSrc().getType()); }

LogicalResult UnsplatOp::verify() {
  if (numElementsOf(getSrc().getType()) != 1)
    return emitOpError() << "expected a tensor of one element, but found " << getSrc().getType();
  return expectType(*this, "result", getType(), elementOf(getSrc().getType()));
}

LogicalResult ExpandDimsOp::verify() {
  auto source = cast<RankedTensorType>(getSrc().getType());
  int32_t axis = getAxis();
  if (failed(expectAxis(*this, axis, source.getRank() + 1)))
    return failure();
  SmallVector<int64_t> shape(source.getShape());
  shape.insert(shape.begin() + axis, 1);
  return expectType(*this, "result", getType(), source.clone(shape));
}

LogicalResult BroadcastOp::verify() {
  Type source = getSrc().getType();
  if (failed(expectElement(*this, getType(), source)))
    return failure();
  ArrayRef<int64_t> from = shapeOf(source), to = shapeOf(getType());
  if (failed(expectRank(*this, "a result", getType(), from.size())))
    return failure();
  for (auto [dim, sizes] : llvm::enumerate(llvm::zip(from, to)))
    if (auto [before, after] = sizes; before != after && before != 1)
      return emitOpError() << "expected only dimensions of size 1 to grow, but dimension " << dim << " is "
                           << before << " in " << source << " and " << after << " in " << getType();
  return success();
}

LogicalResult ReshapeOp::verify() {
  Type source = getSrc().getType();
  if (failed(expectElement(*this, getType(), source)))
    return failure();
  if (numElementsOf(source) != numElementsOf(getType()))
    return emitOpError() << "expected as many elements in the result as in the operand, but found "
                         << numElementsOf(getType()) << " in " << getType() << " and "
                         << numElementsOf(source) << " in " << source;
  return success();
}

LogicalResult TransOp::verify() {
  auto source = cast<RankedTensorType>(getSrc().getType());
  if (failed(expectPermutation(*this, getOrder(), source.getRank())))
    return failure();
  SmallVector<int64_t> shape;
  for (int32_t dim : getOrder())
    shape.push_back(source.getDimSize(dim));
  return expectType(*this, "result", getType(), source.clone(shape));
}

LogicalResult CatOp::verify() {
  Type type = getLhs().getType();
  if (failed(expectRank(*this, "operands", type, 1)) ||
      failed(expectType(*this, "second operand", getRhs().getType(), type)))
    return failure();
  return expectType(*this, "result", getType(),
                    cast<RankedTensorType>(type).clone(ArrayRef<int64_t>(2 * numElementsOf(type))));
}

/// The type of a join: one more dimension, of size 2.
static Type joinedType(Type part) {
  SmallVector<int64_t> shape(shapeOf(part));
  shape.push_back(2);
  return cast<RankedTensorType>(part).clone(shape);
}

LogicalResult JoinOp::verify() {
  if (failed(expectType(*this, "second operand", getRhs().getType(), getLhs().getType())))
    return failure();
  return expectType(*this, "result", getType(), joinedType(getLhs().getType()));
}

LogicalResult SplitOp::verify() {
  ArrayRef<int64_t> shape = shapeOf(getSrc().getType());
  if (shape.empty() || shape.back() != 2)
    return emitOpError() << "expected an operand whose last dimension is 2, but found " << getSrc().getType();
  Type part = cast<RankedTensorType>(getSrc().getType()).clone(shape.drop_back());
  if (failed(expectType(*this, "first result", getLhs().getType(), part)))
    return failure();
  return expectType(*this, "second result", getRhs().getType(), part);
}

LogicalResult GatherOp::verify() {
  auto source = cast<RankedTensorType>(getSrc().getType());
  auto indices = cast<RankedTensorType>(getIndices().getType());
  if (failed(expectAxis(*this, getAxis(), source.getRank())) ||
      failed(expectRank(*this, "indices", indices, source.getRank())) ||
      failed(expectType(*this, "result", getType(), withElement(indices, source.getElementType()))))
    return failure();
  for (int64_t dim = 0; dim < source.getRank(); ++dim)
    if (dim != getAxis() && source.getDimSize(dim) != indices.getDimSize(dim))
      return emitOpError() << "expected operand and indices that differ along axis " << getAxis()
                           << " alone, but dimension " << dim << " is " << source.getDimSize(dim) << " in "
                           << source << " and " << indices.getDimSize(dim) << " in " << indices;
  return success();
}

LogicalResult HistogramOp::verify() {
  Type source = getSrc().getType();
  if (failed(expectRank(*this, "an operand", source, 1)) ||
      failed(expectRank(*this, "a result", getType(), 1)))
    return failure();
  return getMask() ? expectType(*this, "mask", getMask().getType(), maskOf(source)) : success();
}

//===----------------------------------------------------------------------------------------------------===//
// Text of tt.reshape: keywords, and the boolean attribute of older text
//===----------------------------------------------------------------------------------------------------===//

static constexpr llvm::StringLiteral reorderWord = "allow_reorder";
static constexpr llvm::StringLiteral efficientWord = "efficient_layout";

ParseResult ReshapeOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand source;
  Type from, to;
  if (parser.parseOperand(source))
    return failure();
  bool reorder = succeeded(parser.parseOptionalKeyword(reorderWord));
  bool efficient = succeeded(parser.parseOptionalKeyword(efficientWord));
  if (parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(from) || parser.parseArrow() ||
      parser.parseType(to) || parser.resolveOperand(source, from, result.operands))
    return failure();
  reorder |= isFlagSet(result.attributes.erase(reorderWord));
  if (reorder)
    result.addAttribute(reorderWord, parser.getBuilder().getUnitAttr());
  if (efficient)
    result.addAttribute(efficientWord, parser.getBuilder().getUnitAttr());
  result.addTypes(to);
  return success();
}

void ReshapeOp::print(OpAsmPrinter &printer) {
  printer << " " << getSrc();
  if (getAllowReorder())
    printer << " " << reorderWord;
  if (getEfficientLayout())
    printer << " " << efficientWord;
  printer.printOptionalAttrDict((*this)->getAttrs(), {reorderWord, efficientWord});
  printer << " : " << getSrc().getType() << " -> " << getType();
}

} // namespace trisect::tt
