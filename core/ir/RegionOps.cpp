//===- RegionOps.cpp - rules of reduce, scan and element maps -------------------------------------------===//
#include "core/ir/RegionOps.h"
#include "core/ir/TypeUtils.h"
#include "core/ir/Verify.h"

#define GET_OP_CLASSES
#include "core/ir/RegionOps.cpp.inc"

using namespace mlir;

namespace trisect::tt {

/// At least one operand, all of one shape, as many results.
static LogicalResult verifyOperands(Operation *op) {
  if (op->getNumOperands() == 0)
    return op->emitOpError() << "expected at least one operand, but found none";
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    if (failed(expectSameShape(op, ("operand #" + Twine(index)).str(), type, "operand #0",
                               op->getOperand(0).getType())))
      return failure();
  return success();
}

static LogicalResult verifyResults(Operation *op, function_ref<Type(Type)> resultOf) {
  if (failed(expectCount(op, "results", op->getNumResults(), op->getNumOperands(), "one for each operand")))
    return failure();
  for (auto [index, result, operand] : llvm::enumerate(op->getResultTypes(), op->getOperandTypes()))
    if (failed(expectType(op, ("result #" + Twine(index)).str(), result, resultOf(operand))))
      return failure();
  return success();
}

static LogicalResult verifyTypes(Operation *op, StringRef what, TypeRange found, ArrayRef<Type> expected,
                                 StringRef why) {
  if (failed(expectCount(op, (what + "s").str(), found.size(), expected.size(), why)))
    return failure();
  for (auto [index, pair] : llvm::enumerate(llvm::zip(found, expected)))
    if (failed(expectType(op, (what + " #" + Twine(index)).str(), std::get<0>(pair), std::get<1>(pair))))
      return failure();
  return success();
}

/// The region takes `copies` groups of all operands' elements, and returns one group of all results'.
static LogicalResult verifyCombine(Operation *op, Region &region) {
  SmallVector<Type> elements, arguments;
  for (Type type : op->getOperandTypes())
    elements.push_back(elementOf(type));
  arguments.append(elements);
  arguments.append(elements);
  Block &block = region.front();
  if (failed(verifyTypes(op, "region argument", block.getArgumentTypes(), arguments, "two for each operand")))
    return failure();
  return verifyTypes(block.getTerminator(), "value", block.getTerminator()->getOperandTypes(), elements,
                     "one for each operand");
}

template <typename Return> static LogicalResult verifyCombineRegion(Operation *op, Region &region) {
  if (region.front().empty() || !isa<Return>(region.front().back()))
    // Unreachable: in text, for every other terminator asks for its own parent; a pass may leave one.
    return op->emitOpError() << "expected a region that ends in '" << Return::getOperationName() << "'";
  return verifyCombine(op, region);
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyOperands(*this)))
    return failure();
  auto type = cast<RankedTensorType>(getSrcs().front().getType());
  if (failed(expectAxis(*this, getAxis(), type.getRank())))
    return failure();
  return verifyResults(*this, [&](Type operand) -> Type {
    SmallVector<int64_t> shape(shapeOf(operand));
    shape.erase(shape.begin() + getAxis());
    return shape.empty() ? elementOf(operand) : cast<RankedTensorType>(operand).clone(shape);
  });
}

LogicalResult ReduceOp::verifyRegions() { return verifyCombineRegion<ReduceReturnOp>(*this, getCombineOp()); }

LogicalResult ScanOp::verify() {
  if (failed(verifyOperands(*this)) ||
      failed(expectAxis(*this, getAxis(), shapeOf(getSrcs().front().getType()).size())))
    return failure();
  return verifyResults(*this, [](Type operand) { return operand; });
}

LogicalResult ScanOp::verifyRegions() { return verifyCombineRegion<ScanReturnOp>(*this, getCombineOp()); }

LogicalResult MapElementwiseOp::verify() {
  if (failed(verifyOperands(*this)))
    return failure();
  int64_t elements = numElementsOf(getSrcs().front().getType());
  int32_t pack = getPack();
  if (pack < 1 || elements % pack != 0)
    return emitOpError() << "expected a pack that divides " << elements << " elements, but found " << pack;
  for (auto [index, type] : llvm::enumerate(getResultTypes()))
    if (failed(expectSameShape(*this, ("result #" + Twine(index)).str(), type, "operand #0",
                               getSrcs().front().getType())))
      return failure();
  return success();
}

LogicalResult MapElementwiseOp::verifyRegions() {
  auto elements = [&](TypeRange types) {
    SmallVector<Type> packed;
    for (Type type : types)
      packed.append(getPack(), elementOf(type));
    return packed;
  };
  Region &region = getScalarOp();
  if (failed(verifyTypes(*this, "region argument", region.getArgumentTypes(), elements(getOperandTypes()),
                         "pack for each operand")))
    return failure();
  SmallVector<Type> returned = elements(getResultTypes());
  for (auto ret : region.getOps<MapElementwiseReturnOp>())
    if (failed(verifyTypes(ret, "value", ret.getOperandTypes(), returned, "pack for each result")))
      return failure();
  return success();
}

} // namespace trisect::tt
