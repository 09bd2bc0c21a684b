//===- ShapeOps.cpp - ops that only change the index ----------------------------------------------------===//
//
// What: constants, ranges and data movement as functions of the index.
// Limits: constants that are not splats have at most 16 elements; the front end makes none that are larger.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/Evaluator.h"
#include "backends/cpu/emit/Types.h"
#include "core/ir/Ops.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace trisect::cpu {

namespace {
Value constantElement(Code &code, Attribute attribute, Type element) {
  Type type = emittedType(element);
  if (auto real = dyn_cast<FloatAttr>(attribute)) {
    APInt bits = real.getValue().bitcastToAPInt();
    if (isa<FloatType>(type))
      return code.realBits(type, bits.getZExtValue());
    return code.integer(type, bits.getSExtValue());
  }
  return code.integer(type, cast<IntegerAttr>(attribute).getValue().getSExtValue());
}

/// The row-major position of `index` in `shape`.
LaneValue linear(Code &code, const Index &index, ArrayRef<int64_t> shape, unsigned lanes) {
  LaneValue position = LaneValue::uniform(code.i64(0));
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    position = addLanes(code, position, mulLanes(code, index[d], LaneValue::uniform(code.i64(stride)), lanes),
                        lanes);
    stride *= shape[d];
  }
  return position;
}

/// Quotient and remainder by a power of two. A chunk whose lanes stay inside one period keeps its structure.
std::pair<LaneValue, LaneValue> split(Code &code, const LaneValue &v, int64_t divisor, unsigned lanes) {
  if (divisor == 1)
    return {v, LaneValue::uniform(code.i64(0))};
  int64_t shift = llvm::Log2_64(divisor);
  auto parts = [&](Value x) {
    Type type = x.getType();
    return std::pair(code.shr(x, shift), code.both(x, code.integer(type, divisor - 1)));
  };
  if (v.isUniform()) {
    auto [high, low] = parts(v.value);
    return {LaneValue::uniform(high), LaneValue::uniform(low)};
  }
  std::optional<int64_t> step = v.isStrided() ? constantOf(v.stride) : std::nullopt;
  // Chunks begin at multiples of their width, so that a period of at least that width is never crossed.
  if (step && *step > 0 && llvm::isPowerOf2_64(*step) && *step * lanes <= divisor) {
    auto [high, low] = parts(v.value);
    return {LaneValue::uniform(high), LaneValue::strided(low, v.stride)};
  }
  if (step && *step % divisor == 0) {
    auto [high, low] = parts(v.value);
    return {LaneValue::strided(high, code.i64(*step / divisor)), LaneValue::uniform(low)};
  }
  auto [high, low] = parts(toVector(code, v, lanes));
  return {LaneValue::lanes(high), LaneValue::lanes(low)};
}

void raiseLevels(Index &to, const Index &from) {
  unsigned level = 0;
  for (const LaneValue &position : from)
    level = std::max(level, position.level);
  for (LaneValue &position : to)
    position.level = level;
}
} // namespace

Index indexAt(Code &code, LaneValue position, ArrayRef<int64_t> shape, unsigned lanes) {
  Index index(shape.size(), LaneValue::uniform(code.i64(0)));
  unsigned level = position.level;
  for (size_t d = shape.size(); d-- > 0;) {
    auto [rest, here] = split(code, position, shape[d], lanes);
    index[d] = d == 0 && shape[d] != 1 ? position : here;
    position = rest;
  }
  for (LaneValue &each : index)
    each.level = level;
  return index;
}

bool isShapeOp(Operation *op) {
  return isa<arith::ConstantOp, ub::PoisonOp, LLVM::UndefOp, tt::MakeRangeOp, tt::SplatOp, tt::ExpandDimsOp,
             tt::BroadcastOp, tt::TransOp, tt::ReshapeOp, tt::JoinOp, tt::SplitOp, tt::CatOp, tt::GatherOp>(
      op);
}

LaneValue Evaluator::throughShape(Operation *op, Value value, const Index &index, bool &known) {
  Code code = state.code();
  unsigned lanes = nest.lanes;
  known = true;
  Type element = ttElement(value.getType());
  ArrayRef<int64_t> shape = ttShape(value.getType());

  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto dense = cast<DenseElementsAttr>(constant.getValue());
    if (dense.isSplat())
      return LaneValue::uniform(constantElement(code, dense.getSplatValue<Attribute>(), element));
    if (dense.getNumElements() > 16)
      unsupported(op, "a constant block with more than 16 different elements");
    LaneValue position = linear(code, index, shape, lanes);
    Value where = toVector(code, position, lanes), result;
    for (auto [i, attribute] : llvm::enumerate(dense.getValues<Attribute>())) {
      Value here = constantElement(code, attribute, element);
      Value all = isa<VectorType>(where.getType()) ? code.splat(here, lanes) : here;
      Value hit = code.cmp(CmpIPredicate::eq, where, code.integer(where.getType(), i));
      result = result ? code.select(hit, all, result) : all;
    }
    return LaneValue::lanes(result);
  }
  if (isa<ub::PoisonOp, LLVM::UndefOp>(op))
    return LaneValue::uniform(code.zero(emittedType(element)));
  if (auto range = dyn_cast<tt::MakeRangeOp>(op)) {
    LaneValue position = resizeLanes(code, index[0], code.i32());
    return addLanes(code, position, LaneValue::uniform(code.integer(code.i32(), range.getStart())), lanes);
  }
  if (auto splat = dyn_cast<tt::SplatOp>(op))
    return at(splat.getSrc(), {});
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    Index inner = index;
    inner.erase(inner.begin() + expand.getAxis());
    return at(expand.getSrc(), inner);
  }
  if (auto broadcast = dyn_cast<tt::BroadcastOp>(op)) {
    Index inner = index;
    ArrayRef<int64_t> from = ttShape(broadcast.getSrc().getType());
    for (size_t d = 0; d < from.size(); ++d)
      if (from[d] != shape[d])
        inner[d] = LaneValue::uniform(code.i64(0));
    return at(broadcast.getSrc(), inner);
  }
  if (auto trans = dyn_cast<tt::TransOp>(op)) {
    Index inner(index.size());
    for (auto [d, from] : llvm::enumerate(trans.getOrder()))
      inner[from] = index[d];
    return at(trans.getSrc(), inner);
  }
  if (auto reshape = dyn_cast<tt::ReshapeOp>(op)) {
    LaneValue position = linear(code, index, shape, lanes);
    Index inner = indexAt(code, position, ttShape(reshape.getSrc().getType()), lanes);
    raiseLevels(inner, index);
    return at(reshape.getSrc(), inner);
  }
  if (auto gather = dyn_cast<tt::GatherOp>(op)) {
    LaneValue which = at(gather.getIndices(), index);
    Value raw = code.resize(which.isUniform() ? which.value : toVector(code, which, lanes), code.i64());
    // An index outside is undefined; it must not leave the buffer.
    int64_t extent = ttShape(gather.getSrc().getType())[gather.getAxis()];
    Value last = code.integer(raw.getType(), extent - 1);
    Index inner = index;
    inner[gather.getAxis()] = LaneValue::lanes(code.make<arith::MinUIOp>(raw, last));
    raiseLevels(inner, index);
    return at(gather.getSrc(), inner);
  }
  // The rest chooses between two sources by a position.
  auto pick = [&](Value condition, Value a, const Index &indexA, Value b, const Index &indexB) {
    LaneValue first = at(a, indexA), second = at(b, indexB);
    bool vector = isa<VectorType>(condition.getType()) || !first.isUniform() || !second.isUniform();
    if (!vector)
      return LaneValue::uniform(code.select(condition, first.value, second.value));
    return LaneValue::lanes(
        code.select(condition, toVector(code, first, lanes), toVector(code, second, lanes)));
  };
  auto condition = [&](const LaneValue &position, int64_t limit) {
    Value where = position.isUniform() ? position.value : toVector(code, position, lanes);
    return code.cmp(CmpIPredicate::slt, where, code.integer(where.getType(), limit));
  };
  if (auto join = dyn_cast<tt::JoinOp>(op)) {
    Index inner(index.begin(), index.end() - 1);
    return pick(condition(index.back(), 1), join.getLhs(), inner, join.getRhs(), inner);
  }
  if (auto half = dyn_cast<tt::SplitOp>(op)) {
    Index inner = index;
    inner.push_back(LaneValue::uniform(code.i64(value == half.getLhs() ? 0 : 1)));
    return at(half.getSrc(), inner);
  }
  if (auto cat = dyn_cast<tt::CatOp>(op)) {
    int64_t length = ttShape(cat.getLhs().getType())[0];
    Value isFirst = condition(index[0], length);
    // Both sides are read inside their bounds; the position of the one that is not chosen does not matter.
    Index a = index, b = index;
    a[0] = b[0] = split(code, index[0], length, lanes).second;
    raiseLevels(a, index);
    raiseLevels(b, index);
    return pick(isFirst, cat.getLhs(), a, cat.getRhs(), b);
  }
  known = false;
  return {};
}

} // namespace trisect::cpu
