//===- Masks.cpp - when a mask is true for a whole block ------------------------------------------------===//
#include "backends/cpu/emit/Masks.h"
#include "backends/cpu/emit/Types.h"
#include "core/ir/Ops.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace trisect::cpu {

namespace {
bool isUniform(Value value) {
  if (!isa<RankedTensorType>(value.getType()))
    return true;
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return constant.isSplat();
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isa<tt::SplatOp>(op))
    return true;
  if (isa<tt::ExpandDimsOp, tt::BroadcastOp, arith::ExtSIOp>(op))
    return isUniform(op->getOperand(0));
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return isUniform(op->getOperand(0)) && isUniform(op->getOperand(1));
  return false;
}

bool isNonNegativeConstant(Value value) {
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) && constant.isNonNegative();
}

/// Never falls along any dimension, as long as nothing wraps.
bool grows(KernelState &state, Value value) {
  if (isUniform(value))
    return true;
  if (auto found = state.inductions.find(value); found != state.inductions.end())
    return grows(state, found->second.start);
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isa<tt::MakeRangeOp>(op))
    return true;
  if (isa<tt::ExpandDimsOp, tt::BroadcastOp, arith::ExtSIOp>(op))
    return grows(state, op->getOperand(0));
  if (isa<arith::AddIOp>(op))
    return grows(state, op->getOperand(0)) && grows(state, op->getOperand(1));
  if (isa<arith::SubIOp>(op))
    return grows(state, op->getOperand(0)) && isUniform(op->getOperand(1));
  if (isa<arith::MulIOp>(op))
    return (grows(state, op->getOperand(0)) && isNonNegativeConstant(op->getOperand(1))) ||
           (grows(state, op->getOperand(1)) && isNonNegativeConstant(op->getOperand(0)));
  return false;
}

struct Ends {
  Value first, last;
};

Ends endsOf(KernelState &state, Value value) {
  Code code = state.code();
  Evaluator evaluator(state, 1);
  ArrayRef<int64_t> shape = ttShape(value.getType());
  return {evaluator.at(value, zeroIndex(code, shape)).value,
          evaluator.at(value, lastIndex(code, shape)).value};
}

Value allTrueComparison(KernelState &state, arith::CmpIOp compare) {
  Value lhs = compare.getLhs(), rhs = compare.getRhs();
  CmpIPredicate predicate = compare.getPredicate();
  // Growing side on the left.
  if (isUniform(lhs) && !isUniform(rhs)) {
    std::swap(lhs, rhs);
    switch (predicate) {
    case CmpIPredicate::slt:
      predicate = CmpIPredicate::sgt;
      break;
    case CmpIPredicate::sle:
      predicate = CmpIPredicate::sge;
      break;
    case CmpIPredicate::sgt:
      predicate = CmpIPredicate::slt;
      break;
    case CmpIPredicate::sge:
      predicate = CmpIPredicate::sle;
      break;
    default:
      return {};
    }
  }
  if (!isUniform(rhs) || !grows(state, lhs))
    return {};
  Code code = state.code();
  Ends left = endsOf(state, lhs), right = endsOf(state, rhs);
  // Blocks are far smaller than the range of their type, so that ends in order mean that nothing wrapped.
  Value ordered = code.cmp(CmpIPredicate::sle, left.first, left.last);
  switch (predicate) {
  case CmpIPredicate::slt:
  case CmpIPredicate::sle:
    return code.both(ordered, code.cmp(predicate, left.last, right.first));
  case CmpIPredicate::sgt:
  case CmpIPredicate::sge:
    return code.both(ordered, code.cmp(predicate, left.first, right.first));
  default:
    return {};
  }
}
} // namespace

Value emitAllTrue(KernelState &state, Value mask) {
  Code code = state.code();
  if (state.buffers.count(mask))
    return {};
  if (!isa<RankedTensorType>(mask.getType()))
    return state.scalar(mask);
  DenseElementsAttr constant;
  if (matchPattern(mask, m_Constant(&constant)))
    return constant.isSplat() ? code.integer(code.i1(), constant.getSplatValue<APInt>().getBoolValue())
                              : Value();
  Operation *op = mask.getDefiningOp();
  if (!op)
    return {};
  if (isa<tt::SplatOp, tt::ExpandDimsOp, tt::BroadcastOp, tt::ReshapeOp, tt::TransOp>(op))
    return emitAllTrue(state, op->getOperand(0));
  if (isa<arith::AndIOp>(op)) {
    Value a = emitAllTrue(state, op->getOperand(0)), b = emitAllTrue(state, op->getOperand(1));
    return a && b ? code.both(a, b) : Value();
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return allTrueComparison(state, compare);
  return {};
}

} // namespace trisect::cpu
