//===- Signs.cpp - floats that are never positive -------------------------------------------------------===//
#include "backends/cpu/plan/Signs.h"
#include "core/ir/Ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <optional>

using namespace mlir;

namespace trisect::cpu {

namespace {
/// Shapes and maxima looked through; of a maximum both operands are asked.
constexpr unsigned deepest = 8;

// Whether a reduction gives the greatest of what it reads.
bool isGreatest(tt::ReduceOp op) {
  Block &block = op->getRegion(0).front();
  return block.getNumArguments() == 2 && block.getOperations().size() == 2 &&
         isa<arith::MaxNumFOp, arith::MaximumFOp>(block.front()) &&
         llvm::equal(block.front().getOperands(), block.getArguments()) &&
         llvm::equal(block.getTerminator()->getOperands(), block.front().getResults());
}

// Whether `bound`, spread out along `axis` (none: not, or of a scalar), is nowhere less than `value`; NaN
// aside.
bool isAtLeast(Value bound, Value value, std::optional<int64_t> axis, unsigned depth) {
  if (bound == value)
    return true;
  Operation *op = bound.getDefiningOp();
  if (!op || depth == 0)
    return false;
  auto with = [&](Value operand) { return isAtLeast(operand, value, axis, depth - 1); };
  if (isa<arith::MaxNumFOp, arith::MaximumFOp>(op))
    return llvm::any_of(op->getOperands(), with);
  if (isa<tt::SplatOp, tt::BroadcastOp>(op))
    return with(op->getOperand(0));
  if (auto expanded = dyn_cast<tt::ExpandDimsOp>(op))
    return !axis && isAtLeast(expanded.getSrc(), value, expanded.getAxis(), depth - 1);
  auto reduce = dyn_cast<tt::ReduceOp>(op);
  return reduce && isGreatest(reduce) && reduce->getOperand(0) == value &&
         (axis ? *axis == reduce.getAxis() : !isa<RankedTensorType>(reduce->getResult(0).getType()));
}
} // namespace

bool neverPositive(Value value) {
  auto difference = value.getDefiningOp<arith::SubFOp>();
  return difference && isAtLeast(difference.getRhs(), difference.getLhs(), {}, deepest);
}

} // namespace trisect::cpu
