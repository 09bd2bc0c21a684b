//===- ShapeFolds.cpp - folds and rewrites of ops that move elements ------------------------------------===//
//
// What: moving the elements of a uniform block gives a uniform block; moves that undo or repeat each other
// become one. Limits: nothing here looks at more than a constant or the defining op of an operand.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/ShapeOps.h"
#include "core/ir/TypeUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace trisect::tt {

//===----------------------------------------------------------------------------------------------------===//
// Uniform blocks
//===----------------------------------------------------------------------------------------------------===//

/// A constant of one repeated element keeps it in any shape.
static OpFoldResult foldUniform(Attribute operand, Type result) {
  auto uniform = dyn_cast_if_present<SplatElementsAttr>(operand);
  return uniform ? OpFoldResult(uniform.resizeSplat(cast<RankedTensorType>(result))) : OpFoldResult();
}

/// The same for a splat of a scalar that is not known.
static LogicalResult splatInstead(Operation *op, Value source, PatternRewriter &rewriter) {
  auto splat = source.getDefiningOp<SplatOp>();
  if (!splat)
    return failure();
  rewriter.replaceOpWithNewOp<SplatOp>(op, op->getResult(0).getType(), splat.getSrc());
  return success();
}

OpFoldResult MakeRangeOp::fold(FoldAdaptor) {
  if (numElementsOf(getType()) != 1)
    return {};
  return SplatElementsAttr::get(cast<RankedTensorType>(getType()), getStartAttr().getValue());
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  Attribute scalar = adaptor.getSrc();
  if (!isa_and_present<FloatAttr, IntegerAttr>(scalar))
    return {};
  return SplatElementsAttr::get(cast<RankedTensorType>(getType()), scalar);
}

OpFoldResult UnsplatOp::fold(FoldAdaptor adaptor) {
  if (auto splat = getSrc().getDefiningOp<SplatOp>())
    return splat.getSrc();
  auto uniform = dyn_cast_if_present<SplatElementsAttr>(adaptor.getSrc());
  return uniform ? OpFoldResult(uniform.getSplatValue<Attribute>()) : OpFoldResult();
}

OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) { return foldUniform(adaptor.getSrc(), getType()); }

LogicalResult ExpandDimsOp::canonicalize(ExpandDimsOp op, PatternRewriter &rewriter) {
  return splatInstead(op, op.getSrc(), rewriter);
}

//===----------------------------------------------------------------------------------------------------===//
// Moves of moves
//===----------------------------------------------------------------------------------------------------===//

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  return foldUniform(adaptor.getSrc(), getType());
}

LogicalResult BroadcastOp::canonicalize(BroadcastOp op, PatternRewriter &rewriter) {
  if (auto inner = op.getSrc().getDefiningOp<BroadcastOp>()) {
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), inner.getSrc());
    return success();
  }
  return splatInstead(op, op.getSrc(), rewriter);
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType() && !getAllowReorder())
    return getSrc();
  return foldUniform(adaptor.getSrc(), getType());
}

LogicalResult ReshapeOp::canonicalize(ReshapeOp op, PatternRewriter &rewriter) {
  auto inner = op.getSrc().getDefiningOp<ReshapeOp>();
  if (!inner)
    return splatInstead(op, op.getSrc(), rewriter);
  bool reorder = op.getAllowReorder() || inner.getAllowReorder();
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), inner.getSrc(), reorder, op.getEfficientLayout());
  return success();
}

OpFoldResult TransOp::fold(FoldAdaptor adaptor) {
  bool identity = true;
  for (auto [dim, from] : llvm::enumerate(getOrder()))
    identity &= int32_t(dim) == from;
  return identity ? OpFoldResult(getSrc()) : foldUniform(adaptor.getSrc(), getType());
}

LogicalResult TransOp::canonicalize(TransOp op, PatternRewriter &rewriter) {
  auto inner = op.getSrc().getDefiningOp<TransOp>();
  if (!inner)
    return splatInstead(op, op.getSrc(), rewriter);
  SmallVector<int32_t> order;
  for (int32_t dim : op.getOrder())
    order.push_back(inner.getOrder()[dim]);
  rewriter.replaceOpWithNewOp<TransOp>(op, op.getType(), inner.getSrc(), order);
  return success();
}

OpFoldResult JoinOp::fold(FoldAdaptor) {
  auto split = getLhs().getDefiningOp<SplitOp>();
  bool whole = split && getLhs() == split.getLhs() && getRhs() == split.getRhs();
  return whole ? OpFoldResult(split.getSrc()) : OpFoldResult();
}

LogicalResult SplitOp::fold(FoldAdaptor adaptor, SmallVectorImpl<OpFoldResult> &results) {
  if (auto join = getSrc().getDefiningOp<JoinOp>()) {
    results.append({join.getLhs(), join.getRhs()});
    return success();
  }
  OpFoldResult half = foldUniform(adaptor.getSrc(), getLhs().getType());
  if (!half)
    return failure();
  results.assign(2, half);
  return success();
}

} // namespace trisect::tt
