//===- DescriptorOps.cpp - rules of tensor descriptors --------------------------------------------------===//
#include "core/ir/DescriptorOps.h"
#include "core/ir/TypeUtils.h"
#include "core/ir/Verify.h"

#define GET_OP_CLASSES
#include "core/ir/DescriptorOps.cpp.inc"

using namespace mlir;

namespace trisect::tt {

LogicalResult MakeTensorDescOp::verify() {
  TensorDescType desc = getType();
  size_t rank = desc.getShape().size();
  // There are as many strides: SameVariadicOperandSize.
  if (failed(expectCount(*this, "sizes", getShape().size(), rank, "one for each dimension of the block")))
    return failure();
  Type element = desc.getSignlessBlockType().getElementType();
  if (getBase().getType().getPointeeType() != element)
    return emitOpError() << "expected a pointer to " << element << ", since the descriptor is " << desc
                         << ", but found " << getBase().getType();
  if (getBase().getType().getAddressSpace() != 1)
    return emitOpError() << "expected a base in global memory, but found " << getBase().getType();
  if (getPadding() == PaddingOption::Nan && !isFloatElement(element))
    return emitOpError() << "expected floats where padding is NaN, but found " << desc;
  return success();
}

/// A block moves whole, or without some of its leading unit dimensions.
static LogicalResult verifyMovedBlock(Operation *op, TensorDescType desc, Type block, StringRef what,
                                      size_t numIndices) {
  RankedTensorType whole = desc.getSignlessBlockType();
  if (failed(expectCount(op, "indices", numIndices, whole.getRank(), "one for each dimension of the block")))
    return failure();
  ArrayRef<int64_t> full = whole.getShape(), found = shapeOf(block);
  size_t dropped = full.size() - std::min(full.size(), found.size());
  bool unitsDropped = llvm::all_of(full.take_front(dropped), [](int64_t size) { return size == 1; });
  if (elementOf(block) == whole.getElementType() && found == full.drop_front(dropped) && unitsDropped)
    return success();
  return op->emitOpError() << "expected " << what << " of type " << whole
                           << " or without its leading dimensions of size 1, but found " << block;
}

void DescriptorLoadOp::build(OpBuilder &builder, OperationState &state, Type result, Value desc,
                             ValueRange indices, CacheModifier cache, EvictionPolicy evict) {
  build(builder, state, result, desc, indices, cache, evict, /*cachePolicy=*/CachePolicyAttr());
}

LogicalResult DescriptorLoadOp::verify() {
  return verifyMovedBlock(*this, getDesc().getType(), getType(), "a result", getIndices().size());
}

LogicalResult DescriptorStoreOp::verify() {
  return verifyMovedBlock(*this, getDesc().getType(), getSrc().getType(), "a stored block",
                          getIndices().size());
}

LogicalResult DescriptorReduceOp::verify() {
  if (failed(verifyMovedBlock(*this, getDesc().getType(), getSrc().getType(), "a combined block",
                              getIndices().size())))
    return failure();
  bool integerOnly = getKind() != DescriptorReduceKind::Add && getKind() != DescriptorReduceKind::Min &&
                     getKind() != DescriptorReduceKind::Max;
  if (integerOnly && !isIntTile(getSrc().getType()))
    return emitOpError() << "expected integers for " << stringifyDescriptorReduceKind(getKind())
                         << ", but found " << getSrc().getType();
  return success();
}

/// Rows of a descriptor with one row to a block: [n rows, columns].
static LogicalResult verifyRows(Operation *op, TensorDescType desc, Type offsets, Type rows, StringRef what) {
  RankedTensorType block = desc.getSignlessBlockType();
  if (block.getRank() != 2 || block.getDimSize(0) != 1)
    return op->emitOpError() << "expected a descriptor of blocks with one row, such as 1x64xf16, but found "
                             << desc;
  if (failed(expectRank(op, "row numbers", offsets, 1)))
    return failure();
  Type number = elementOf(offsets);
  if (!number.isSignlessInteger(16) && !number.isSignlessInteger(32))
    return op->emitOpError() << "expected row numbers of i16 or i32, but found " << offsets;
  return expectType(op, what, rows, block.clone({numElementsOf(offsets), block.getDimSize(1)}));
}

LogicalResult DescriptorGatherOp::verify() {
  return verifyRows(*this, getDesc().getType(), getXOffsets().getType(), getType(), "a result");
}

LogicalResult DescriptorScatterOp::verify() {
  return verifyRows(*this, getDesc().getType(), getXOffsets().getType(), getSrc().getType(), "stored rows");
}

LogicalResult TensormapCreateOp::verify() {
  size_t rank = getBoxDim().size();
  if (failed(expectCount(*this, "global sizes", getGlobalDim().size(), rank, "as the box has")) ||
      failed(expectCount(*this, "element strides", getElementStride().size(), rank, "as the box has")))
    return failure();
  if (rank == 0 || rank > 5)
    return emitOpError() << "expected a box of 1 to 5 dimensions, but found " << rank;
  return expectCount(*this, "global strides", getGlobalStride().size(), rank - 1,
                     "one less than the box has dimensions");
}

} // namespace trisect::tt
