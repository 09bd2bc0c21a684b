//===- Widenings.cpp - lanes that stay evenly spaced in a wider type ------------------------------------===//
#include "backends/cpu/emit/Widenings.h"
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/Evaluator.h"
#include "backends/cpu/emit/GroupLoops.h"
#include "backends/cpu/emit/Intervals.h"
#include "backends/cpu/emit/Types.h"
#include "core/analysis/IntegerBounds.h"
#include "core/ir/Ops.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace trisect::cpu {

std::optional<unsigned> widenedOperand(Operation *op) {
  auto width = [](Value value) { return emittedType(ttElement(value.getType())).getIntOrFloatBitWidth(); };
  if (isa<arith::ExtSIOp>(op))
    return 0;
  if (isa<tt::AddPtrOp>(op) && width(op->getOperand(1)) < 64)
    return 1;
  if (isa<arith::IndexCastOp>(op) && width(op->getOperand(0)) < width(op->getResult(0)))
    return 0;
  return std::nullopt;
}

bool isSumOrProduct(Operation *op) {
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) ||
      !isa<RankedTensorType>(op->getResultTypes()[0]))
    return false;
  unsigned width = ttElement(op->getResultTypes()[0]).getIntOrFloatBitWidth();
  return width > 1 && width < 64;
}

Operation *uniformRemainder(Value value) {
  auto op = value.getDefiningOp<arith::RemSIOp>();
  DenseElementsAttr constant;
  bool uniform = op && (op.getRhs().getDefiningOp<tt::SplatOp>() ||
                        (matchPattern(op.getRhs(), m_Constant(&constant)) && constant.isSplat()));
  return uniform ? op : nullptr;
}

namespace {
/// The n of `x / n` and `x % n` if it is one positive constant, else 0.
int64_t constantDivisor(Operation *op) {
  DenseIntElementsAttr constant;
  if (!isa<arith::DivSIOp, arith::RemSIOp, arith::DivUIOp, arith::RemUIOp>(op) ||
      !isa<RankedTensorType>(op->getResult(0).getType()) ||
      !matchPattern(op->getOperand(1), m_Constant(&constant)) || !constant.isSplat())
    return 0;
  return std::max<int64_t>(constant.getSplatValue<APInt>().getSExtValue(), 0);
}
} // namespace

bool dividesWholeChunks(Operation *op) {
  int64_t divisor = constantDivisor(op);
  return divisor > 0 && divisor % chunkLanes == 0;
}

namespace {

/// The dimension of a value along which the lanes of a chunk lie: none, one, or not known.
constexpr int64_t noAxis = -1, someAxis = -2;

class Finder {
public:
  Finder(KernelState &state, const Group &group, int64_t chunk)
      : state(state), group(group), chunk(chunk), intervals(state) {}

  Widenings run() {
    for (const Action &action : group.actions) {
      if (!action.op) {
        visit(action.source, lastAxis(action.source));
        continue;
      }
      for (Value operand : action.op->getOperands())
        visit(operand, lastAxis(operand));
      if (action.kind == Action::Kind::Value)
        visitOperation(action.op, lastAxis(action.op->getResult(0)));
    }
    bool asked = !found.ifHolds.empty();
    for (Operation *op : sums)
      if (neverWraps(op))
        found.always.insert(op);
      else if (asked && intervals.covers(op->getResult(0)))
        found.ifHolds.insert(op);
    if (asked)
      found.holds = intervals.holds();
    return std::move(found);
  }

private:
  int64_t lastAxis(Value value) const {
    ArrayRef<int64_t> shape = ttShape(value.getType());
    if (!group.runs.empty() && group.runs.back().dimensions > 1)
      return shape.empty() ? noAxis : someAxis;
    for (int64_t axis = static_cast<int64_t>(shape.size()); axis-- > 0;)
      if (shape[axis] != 1)
        return axis;
    return noAxis;
  }

  void visit(Value value, int64_t axis) {
    if (axis == noAxis || !isa<RankedTensorType>(value.getType()))
      return;
    Operation *remainder = uniformRemainder(value);
    if ((!remainder && state.buffers.count(value)) || !seen.insert({value.getAsOpaquePointer(), axis}).second)
      return;
    if (remainder && !dividesWholeChunks(remainder) && !isConstant(remainder->getOperand(0), axis) &&
        intervals.requireBelow(remainder->getOperand(0), remainder->getOperand(1))) {
      found.ifHolds.insert(remainder);
      return visit(remainder->getOperand(0), axis);
    }
    if (state.buffers.count(value))
      return;
    if (auto induction = state.inductions.find(value); induction != state.inductions.end())
      return visit(induction->second.start, axis);
    if (Operation *op = value.getDefiningOp())
      visitOperation(op, axis);
  }

  void visitOperation(Operation *op, int64_t axis) {
    if (isShapeOp(op)) {
      for (Value operand : op->getOperands())
        visit(operand, throughShape(op, operand, axis));
      return;
    }
    if (!isElementwise(op))
      return;
    if (std::optional<unsigned> n = widenedOperand(op))
      judge(op, op->getOperand(*n), axis);
    if (dividesWholeChunks(op))
      judgeDivision(op, axis);
    if (isSumOrProduct(op))
      sums.insert(op);
    for (Value operand : op->getOperands())
      visit(operand, axis);
  }

  int64_t throughShape(Operation *op, Value operand, int64_t axis) {
    if (axis == someAxis)
      return someAxis;
    if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
      int64_t added = expand.getAxis();
      return axis == added ? noAxis : axis - (axis > added);
    }
    if (isa<tt::BroadcastOp>(op))
      return ttShape(operand.getType())[axis] == 1 ? noAxis : axis;
    if (auto transposed = dyn_cast<tt::TransOp>(op))
      return transposed.getOrder()[axis];
    return someAxis;
  }

  void judge(Operation *op, Value index, int64_t axis) {
    if (isSteady(index, axis)) {
      found.always.insert(op);
      return;
    }
    // Bounds of all elements: whatever the chunk, its first and last lane lie between them.
    if (intervals.of(index))
      found.ifHolds.insert(op);
  }

  // Lanes that begin at a multiple of their number meet no multiple of a divisor but with the first one.
  void judgeDivision(Operation *op, int64_t axis) {
    Value index = op->getOperand(0);
    if (axis == someAxis || constantDivisor(op) % chunk != 0 || !runsAligned(index, axis))
      return;
    bool isSigned = isa<arith::DivSIOp, arith::RemSIOp>(op);
    if (!isSigned || tt::boundsOf(index).low >= 0)
      found.always.insert(op);
    else if (intervals.requireNotNegative(index))
      found.ifHolds.insert(op);
  }

  int64_t lanesAlong(Value index, int64_t axis) const {
    return std::min<int64_t>(ttShape(index.getType())[axis], chunk);
  }
  bool runsAligned(Value index, int64_t axis) {
    return state.axisFacts().of(index).alignedRun(axis) >= lanesAlong(index, axis);
  }
  // The same for all lanes of a chunk.
  bool isConstant(Value index, int64_t axis) {
    return axis != someAxis && state.axisFacts().of(index).constancy(axis) >= lanesAlong(index, axis);
  }

  bool isSteady(Value index, int64_t axis) {
    unsigned width = ttElement(index.getType()).getIntOrFloatBitWidth();
    tt::IntegerBounds bounds = tt::boundsOf(index), type = tt::IntegerBounds::ofWidth(width);
    if (bounds.low > type.low || bounds.high < type.high)
      return true;
    if (axis == someAxis)
      return false;
    // A run that starts at a multiple of its length lies on one side of every power of two.
    return runsAligned(index, axis);
  }

  // At no element: its bounds fit, or it adds what lies below a power of two to a multiple of that.
  bool neverWraps(Operation *op) {
    tt::IntegerBounds bounds = tt::boundsOf(op->getResult(0));
    tt::IntegerBounds type =
        tt::IntegerBounds::ofWidth(ttElement(op->getResultTypes()[0]).getIntOrFloatBitWidth());
    if (bounds.low > type.low || bounds.high < type.high)
      return true;
    auto fills = [&](Value low, Value multiple) {
      tt::IntegerBounds part = tt::boundsOf(low);
      return part.low >= 0 && part.high < state.axisFacts().of(multiple).divisibilityOfAll();
    };
    return isa<arith::AddIOp>(op) &&
           (fills(op->getOperand(1), op->getOperand(0)) || fills(op->getOperand(0), op->getOperand(1)));
  }

  KernelState &state;
  const Group &group;
  int64_t chunk;
  Intervals intervals;
  Widenings found;
  llvm::SmallSetVector<Operation *, 8> sums;
  llvm::DenseSet<std::pair<void *, int64_t>> seen;
};

} // namespace

Widenings findWidenings(KernelState &state, const Group &group, int64_t chunk) {
  return Finder(state, group, chunk).run();
}

} // namespace trisect::cpu
