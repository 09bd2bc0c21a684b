//===- ShapeOps.cpp - ops that only change the index ----------------------------------------------------===//
//
// What: constants, ranges and data movement as functions of the index.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/emit/Constants.h"
#include "backends/cpu/emit/Evaluator.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/plan/Exchange.h"
#include "core/ir/Ops.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace trisect::cpu {

namespace {
void raiseLevels(Index &to, const Index &from) {
  unsigned level = 0;
  for (const LaneValue &position : from)
    level = std::max(level, position.level);
  for (LaneValue &position : to)
    position.level = level;
}
} // namespace

bool isShapeOp(Operation *op) {
  return isa<arith::ConstantOp, ub::PoisonOp, LLVM::UndefOp, tt::MakeRangeOp, tt::SplatOp, tt::ExpandDimsOp,
             tt::BroadcastOp, tt::TransOp, tt::ReshapeOp, tt::JoinOp, tt::SplitOp, tt::CatOp, tt::GatherOp>(
      op);
}

namespace {
/// The index of the same element in the source of an op that only renames dimensions; nothing for other ops.
std::optional<std::pair<Value, Index>> renamed(Code &code, Operation *op, Value value, const Index &index) {
  Index inner = index;
  if (auto splat = dyn_cast<tt::SplatOp>(op))
    return std::pair(Value(splat.getSrc()), Index());
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    inner.erase(inner.begin() + expand.getAxis());
    return std::pair(Value(expand.getSrc()), inner);
  }
  if (auto broadcast = dyn_cast<tt::BroadcastOp>(op)) {
    ArrayRef<int64_t> from = ttShape(broadcast.getSrc().getType()), to = ttShape(value.getType());
    for (size_t d = 0; d < from.size(); ++d)
      if (from[d] != to[d])
        inner[d] = LaneValue::uniform(code.i64(0));
    return std::pair(Value(broadcast.getSrc()), inner);
  }
  if (auto trans = dyn_cast<tt::TransOp>(op)) {
    for (auto [d, from] : llvm::enumerate(trans.getOrder()))
      inner[from] = index[d];
    return std::pair(Value(trans.getSrc()), inner);
  }
  if (auto half = dyn_cast<tt::SplitOp>(op)) {
    inner.push_back(LaneValue::uniform(code.i64(value == half.getLhs() ? 0 : 1)));
    return std::pair(Value(half.getSrc()), inner);
  }
  return std::nullopt;
}
} // namespace

LaneValue Evaluator::throughExchange(tt::GatherOp op, const Index &index) {
  Code code = state.code();
  Partner partner = partnerAt(code, index, ttShape(op.getType()), op.getAxis(), nest.lanes);
  LaneValue there = at(op.getSrc(), partner.index);
  if (partner.distance == 0 || there.isUniform())
    return there;
  Value all = toVector(code, there, nest.lanes);
  SmallVector<int64_t> order;
  for (unsigned lane = 0; lane < nest.lanes; ++lane)
    order.push_back(static_cast<int64_t>(lane) ^ partner.distance);
  return LaneValue::lanes(code.b.create<vector::ShuffleOp>(code.loc, all, all, order));
}

LaneValue Evaluator::throughGather(Operation *op, const Index &place) {
  Code code = state.code();
  auto gather = cast<tt::GatherOp>(op);
  if (isExchange(gather))
    return throughExchange(gather, place);
  ArrayRef<int64_t> shape = ttShape(gather.getType());
  Index index = separate(code, place, shape, ownCuts(op, shape), nest.lanes);
  LaneValue which = at(gather.getIndices(), index);
  Value raw = code.resize(which.isUniform() ? which.value : toVector(code, which, nest.lanes), code.i64());
  // An index outside is undefined; it must not leave the buffer.
  int64_t extent = ttShape(gather.getSrc().getType())[gather.getAxis()];
  Value last = code.integer(raw.getType(), extent - 1);
  Index inner = index;
  inner[gather.getAxis()] = LaneValue::lanes(code.make<arith::MinUIOp>(raw, last));
  raiseLevels(inner, index);
  return at(gather.getSrc(), inner);
}

/// `first` at one index where the position is below the limit, else `second` at another.
LaneValue Evaluator::either(const LaneValue &position, int64_t limit, Value first, const Index &indexFirst,
                            Value second, const Index &indexSecond) {
  Code code = state.code();
  unsigned lanes = nest.lanes;
  Value where = position.isUniform() ? position.value : toVector(code, position, lanes);
  Value condition = code.cmp(CmpIPredicate::slt, where, code.integer(where.getType(), limit));
  LaneValue a = at(first, indexFirst), b = at(second, indexSecond);
  if (!isa<VectorType>(condition.getType()) && a.isUniform() && b.isUniform())
    return LaneValue::uniform(code.select(condition, a.value, b.value));
  return LaneValue::lanes(code.select(condition, toVector(code, a, lanes), toVector(code, b, lanes)));
}

LaneValue Evaluator::throughShape(Operation *op, Value value, const Index &place, bool &known) {
  Code code = state.code();
  unsigned lanes = nest.lanes;
  known = true;
  Type element = ttElement(value.getType());
  ArrayRef<int64_t> shape = ttShape(value.getType());
  if (isa<tt::GatherOp>(op))
    return throughGather(op, place);
  Index index = isShapeOp(op) ? separate(code, place, shape, ownCuts(op, shape), lanes) : place;

  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto dense = cast<DenseElementsAttr>(constant.getValue());
    LaneValue position = dense.isSplat() ? LaneValue() : linear(code, index, shape, lanes);
    return constantAt(code, dense, element, position, lanes);
  }
  if (isa<ub::PoisonOp, LLVM::UndefOp>(op))
    return LaneValue::uniform(code.zero(emittedType(element)));
  if (auto range = dyn_cast<tt::MakeRangeOp>(op)) {
    LaneValue position = resizeLanes(code, index[0], code.i32());
    LaneValue number =
        addLanes(code, position, LaneValue::uniform(code.integer(code.i32(), range.getStart())), lanes);
    if (!index[0].isVector())
      number.wide = code.add(index[0].value, code.i64(static_cast<int32_t>(range.getStart())));
    return number;
  }
  if (auto source = renamed(code, op, value, index))
    return at(source->first, source->second);
  if (auto reshape = dyn_cast<tt::ReshapeOp>(op)) {
    LaneValue position = linear(code, index, shape, lanes);
    Index inner = spanningIndex(code, position, ttShape(reshape.getSrc().getType()));
    raiseLevels(inner, index);
    return at(reshape.getSrc(), inner);
  }
  if (auto join = dyn_cast<tt::JoinOp>(op)) {
    Index inner(index.begin(), index.end() - 1);
    return either(index.back(), 1, join.getLhs(), inner, join.getRhs(), inner);
  }
  if (auto cat = dyn_cast<tt::CatOp>(op)) {
    int64_t length = ttShape(cat.getLhs().getType())[0];
    // Both sides are read inside their bounds; the position of the one that is not chosen does not matter.
    Index a = index, b = index;
    a[0] = b[0] = split(code, index[0], length, lanes).second;
    raiseLevels(a, index);
    raiseLevels(b, index);
    return either(index[0], length, cat.getLhs(), a, cat.getRhs(), b);
  }
  known = false;
  return {};
}

} // namespace trisect::cpu
