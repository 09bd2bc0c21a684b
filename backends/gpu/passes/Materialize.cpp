//===- Materialize.cpp - a value in the layout that its user needs --------------------------------------===//
#include "backends/gpu/passes/Materialize.h"
#include "backends/gpu/passes/LayoutRules.h"
#include "core/analysis/Elementwise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace trisect::gpu {

namespace {
bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }

bool makesBlock(Operation *op) {
  return isa<tt::MakeRangeOp, tt::SplatOp, arith::ConstantOp, ub::PoisonOp>(op);
}

bool movesBlock(Operation *op) {
  return isa<tt::ExpandDimsOp, tt::BroadcastOp, tt::TransOp, tt::ReshapeOp>(op);
}

bool isCheap(Operation *op) {
  if (makesBlock(op) || movesBlock(op))
    return true;
  if (isa<arith::DivFOp, arith::RemFOp, tt::PreciseDivFOp, tt::PreciseSqrtOp, tt::ExternElementwiseOp>(op) ||
      (isa<math::MathDialect>(op->getDialect()) && !isa<math::AbsFOp, math::AbsIOp, math::FmaOp>(op)))
    return false;
  return tt::isPureElementwise(op);
}
} // namespace

void Materializer::use(OpOperand &operand, const Layout &layout) {
  if (*layoutOf(operand.get().getType()) != layout)
    operand.set(get(operand.get(), layout, operand.getOwner()));
}

void Materializer::define(OpResult result, const Layout &layout) {
  const Layout seen = *layoutOf(result.getType());
  if (seen == layout)
    return;
  OpBuilder builder(result.getContext());
  builder.setInsertionPointAfter(result.getOwner());
  Type type = result.getType();
  result.setType(withLayout(type, layout));
  retypeConstant(result.getOwner());
  if (result.use_empty())
    return;
  auto convert = builder.create<ConvertOp>(result.getLoc(), type, result);
  result.replaceAllUsesExcept(convert, convert);
}

Value Materializer::get(Value value, const Layout &layout, Operation *user) {
  // What was converted already is converted from where it came.
  if (auto convert = value.getDefiningOp<ConvertOp>()) {
    if (*layoutOf(convert.getSrc().getType()) == layout)
      return convert.getSrc();
    value = convert.getSrc();
  }
  Key key(value, LayoutAttr::get(value.getContext(), layout));
  Block *block = value.getParentBlock();
  Operation *before = block->findAncestorOpInBlock(*user);
  if (auto found = made.find(key); found != made.end()) {
    Operation *op = found->second.getDefiningOp();
    if (!before || op->getBlock() != block || op->isBeforeInBlock(before))
      return found->second;
  }
  OpBuilder builder(value.getContext());
  if (before)
    builder.setInsertionPoint(before);
  else
    builder.setInsertionPointAfterValue(value);
  Value result = compute(value, layout, builder);
  made[key] = result;
  return result;
}

Value Materializer::compute(Value value, const Layout &layout, OpBuilder &builder) {
  if (steps(value) > kMostSteps)
    return builder.create<ConvertOp>(value.getLoc(), withLayout(value.getType(), layout), value);
  Operation *op = value.getDefiningOp();
  Operation *copy = builder.clone(*op);
  copy->getResult(0).setType(withLayout(value.getType(), layout));
  retypeConstant(copy);
  SharedTensors shared = sharedTensors(copy);
  for (OpOperand &operand : copy->getOpOperands()) {
    if (!isTensor(operand.get()))
      continue;
    std::optional<Layout> needed;
    if (llvm::is_contained(shared.operands, operand.getOperandNumber()))
      needed = layout;
    else
      needed = operandLayout(copy, operand.getOperandNumber(), layout);
    if (needed)
      use(operand, *needed);
  }
  return copy->getResult(0);
}

unsigned Materializer::steps(Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  unsigned count = kMostSteps + 1;
  Operation *op = value.getDefiningOp();
  if (op && op->getNumResults() == 1 && op->getNumRegions() == 0 && isCheap(op)) {
    count = 1;
    for (Value operand : op->getOperands())
      if (isTensor(operand) && count <= kMostSteps)
        count += steps(operand);
  }
  return known[value] = std::min(count, kMostSteps + 1);
}

void retypeConstant(Operation *op) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (!constant || constant.getValue().getType() == constant.getType())
    return;
  auto type = cast<RankedTensorType>(constant.getType());
  if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()))
    constant.setValueAttr(dense.reshape(type));
  else if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue()))
    constant.setValueAttr(DenseResourceElementsAttr::get(type, resource.getRawHandle()));
}

void eraseUnused(Operation *root) {
  bool changed = true;
  while (changed) {
    changed = false;
    root->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
      if (op != root && isOpTriviallyDead(op)) {
        op->erase();
        changed = true;
      }
    });
  }
}

} // namespace trisect::gpu
