//===- MaskBounds.cpp - conjuncts of a mask -------------------------------------------------------------===//
#include "backends/cpu/plan/MaskBounds.h"
#include "core/ir/Ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
bool growsByOne(Value index) {
  if (index.getDefiningOp<tt::MakeRangeOp>())
    return true;
  auto sum = index.getDefiningOp<arith::AddIOp>();
  return sum && ((isUniformBlock(sum.getLhs()) && growsByOne(sum.getRhs())) ||
                 (isUniformBlock(sum.getRhs()) && growsByOne(sum.getLhs())));
}

// `index < limit`, where the comparison stands before or after the expansion to two dimensions.
std::optional<Bound> boundOf(Value mask) {
  if (auto broadcast = mask.getDefiningOp<tt::BroadcastOp>())
    mask = broadcast.getSrc();
  auto expand = mask.getDefiningOp<tt::ExpandDimsOp>();
  auto compare = (expand ? expand.getSrc() : mask).getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::slt)
    return std::nullopt;
  Bound bound{0, compare.getLhs(), compare.getRhs()};
  if (!expand && cast<RankedTensorType>(mask.getType()).getRank() == 2) {
    expand = bound.index.getDefiningOp<tt::ExpandDimsOp>();
    if (!expand)
      return std::nullopt;
    bound.index = expand.getSrc();
  }
  if (expand)
    bound.dimension = expand.getAxis() == 1 ? 0 : 1;
  auto type = dyn_cast<RankedTensorType>(bound.index.getType());
  if (!type || type.getRank() != 1 || !type.getElementType().isInteger(32) || !growsByOne(bound.index) ||
      !isUniformBlock(bound.limit))
    return std::nullopt;
  return bound;
}

void add(Value mask, MaskBounds &found) {
  if (auto both = mask.getDefiningOp<arith::AndIOp>()) {
    add(both.getLhs(), found);
    return add(both.getRhs(), found);
  }
  if (std::optional<Bound> bound = boundOf(mask))
    found.bounds.push_back(*bound);
  else
    found.complete = false;
}
} // namespace

bool isUniformBlock(Value block) {
  DenseElementsAttr constant;
  return block.getDefiningOp<tt::SplatOp>() ||
         (matchPattern(block, m_Constant(&constant)) && constant.isSplat());
}

MaskBounds boundsOfMask(Value mask) {
  MaskBounds found;
  auto type = dyn_cast<RankedTensorType>(mask.getType());
  if (type && type.getRank() <= 2)
    add(mask, found);
  else
    found.complete = false;
  return found;
}

} // namespace trisect::cpu
