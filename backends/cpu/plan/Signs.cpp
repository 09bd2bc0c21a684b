//===- Signs.cpp - floats that are never positive -------------------------------------------------------===//
#include "backends/cpu/plan/Signs.h"
#include "core/ir/Ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
// Of maxima of maxima: each is asked for both of its operands.
constexpr unsigned deepest = 6;

// Whether a reduction gives the greatest of what it reads.
bool isGreatest(tt::ReduceOp op) {
  Block &block = op->getRegion(0).front();
  return block.getNumArguments() == 2 && block.getOperations().size() == 2 &&
         isa<arith::MaxNumFOp, arith::MaximumFOp>(block.front()) &&
         llvm::equal(block.front().getOperands(), block.getArguments()) &&
         llvm::equal(block.getTerminator()->getOperands(), block.front().getResults());
}

// Whether `bound` is nowhere less than `value`, place by place; NaN aside.
bool isAtLeast(Value bound, Value value, unsigned depth) {
  if (bound == value)
    return true;
  Operation *op = bound.getDefiningOp();
  if (!op || depth == 0)
    return false;
  if (isa<arith::MaxNumFOp, arith::MaximumFOp>(op))
    return llvm::any_of(op->getOperands(),
                        [&](Value operand) { return isAtLeast(operand, value, depth - 1); });
  // The same number for all places along some axis: the greatest along it.
  int64_t axis = -1;
  while (isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp>(op)) {
    if (auto expanded = dyn_cast<tt::ExpandDimsOp>(op)) {
      if (axis >= 0)
        return false;
      axis = expanded.getAxis();
    }
    op = op->getOperand(0).getDefiningOp();
    if (!op)
      return false;
  }
  SmallVector<Operation *> asked{op};
  for (unsigned i = 0; i < asked.size() && i < deepest; ++i) {
    if (isa<arith::MaxNumFOp, arith::MaximumFOp>(asked[i])) {
      for (Value operand : asked[i]->getOperands())
        if (Operation *made = operand.getDefiningOp())
          asked.push_back(made);
      continue;
    }
    auto reduce = dyn_cast<tt::ReduceOp>(asked[i]);
    if (reduce && isGreatest(reduce) && reduce->getOperand(0) == value &&
        (axis < 0 ? !isa<RankedTensorType>(reduce->getResult(0).getType()) : axis == reduce.getAxis()))
      return true;
  }
  return false;
}
} // namespace

bool neverPositive(Value value) {
  auto difference = value.getDefiningOp<arith::SubFOp>();
  return difference && isAtLeast(difference.getRhs(), difference.getLhs(), deepest);
}

} // namespace trisect::cpu
