//===- Intervals.cpp - the least and greatest element of a block, in code -------------------------------===//
#include "backends/cpu/emit/Intervals.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/emit/Widenings.h"
#include "core/ir/Ops.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using arith::CmpIPredicate;
using Ends = trisect::cpu::Intervals::Ends;

namespace trisect::cpu {

namespace {
unsigned widthOf(Value value) { return ttElement(value.getType()).getIntOrFloatBitWidth(); }

bool isInteger(Value value) {
  auto type = dyn_cast<IntegerType>(ttElement(value.getType()));
  return type && type.getWidth() <= 64;
}
} // namespace

std::optional<Ends> Intervals::of(Value value) {
  if (!isInteger(value))
    return std::nullopt;
  if (auto found = known.find(value); found != known.end())
    return found->second;
  std::optional<Ends> ends = compute(value);
  if (ends)
    requireFit(*ends, widthOf(value));
  known[value] = ends;
  return ends;
}

void Intervals::require(Value condition) { valid = state.code().both(valid, condition); }

// An i1 counts as a bit: 0 or 1.
void Intervals::requireFit(const Ends &ends, unsigned width) {
  Code code = state.code();
  APInt low = APInt::getSignedMinValue(width).sext(128), high = APInt::getSignedMaxValue(width).sext(128);
  if (width == 1) {
    low = APInt(128, 0);
    high = APInt(128, 1);
  }
  auto constant = [&](const APInt &limit) { return code.constant(IntegerAttr::get(wide, limit)); };
  require(code.cmp(CmpIPredicate::sge, ends.low, constant(low)));
  require(code.cmp(CmpIPredicate::sle, ends.high, constant(high)));
}

Ends Intervals::between(int64_t low, int64_t high) {
  Code code = state.code();
  return {code.integer(wide, low), code.integer(wide, high)};
}

Ends Intervals::joined(const Ends &a, const Ends &b) {
  Code code = state.code();
  return {code.make<arith::MinSIOp>(a.low, b.low), code.make<arith::MaxSIOp>(a.high, b.high)};
}

Ends Intervals::product(const Ends &a, const Ends &b) {
  Code code = state.code();
  auto uniform = [&](const Ends &factor, const Ends &other) {
    Value first = code.mul(other.low, factor.low), second = code.mul(other.high, factor.low);
    return joined({first, first}, {second, second});
  };
  if (a.low == a.high)
    return uniform(a, b);
  if (b.low == b.high)
    return uniform(b, a);
  return joined(uniform({a.low, a.low}, b), uniform({a.high, a.high}, b));
}

std::optional<Ends> Intervals::compute(Value value) {
  Code code = state.code();
  if (!isa<RankedTensorType>(value.getType())) {
    auto found = state.scalars.find(value);
    if (found == state.scalars.end())
      return std::nullopt;
    Value scalar = widthOf(value) == 1 ? code.zext(found->second, wide) : code.sext(found->second, wide);
    return Ends{scalar, scalar};
  }
  if (Operation *remainder = uniformRemainder(value))
    if (std::optional<Ends> ends = ofRemainder(remainder))
      return ends;
  if (state.buffers.count(value))
    return std::nullopt;
  if (auto found = state.inductions.find(value); found != state.inductions.end()) {
    std::optional<Ends> start = of(found->second.start);
    if (!start)
      return std::nullopt;
    Value amount = code.sext(found->second.amount, wide);
    return Ends{code.add(start->low, amount), code.add(start->high, amount)};
  }
  if (matchPattern(value, m_Constant()))
    return ofConstant(value);
  Operation *op = value.getDefiningOp();
  return op ? ofOperation(op) : std::nullopt;
}

std::optional<Ends> Intervals::ofConstant(Value value) {
  DenseIntElementsAttr constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return std::nullopt;
  bool bit = widthOf(value) == 1;
  auto number = [&](const APInt &element) {
    return bit ? static_cast<int64_t>(element.getZExtValue()) : element.getSExtValue();
  };
  int64_t low = INT64_MAX, high = INT64_MIN;
  if (constant.isSplat()) {
    low = high = number(constant.getSplatValue<APInt>());
  } else {
    for (const APInt &element : constant.getValues<APInt>()) {
      low = std::min(low, number(element));
      high = std::max(high, number(element));
    }
  }
  Ends ends = between(low, high);
  return low == high ? Ends{ends.low, ends.low} : ends;
}

std::optional<Ends> Intervals::ofOperation(Operation *op) {
  Code code = state.code();
  return llvm::TypeSwitch<Operation *, std::optional<Ends>>(op)
      .Case([&](tt::MakeRangeOp range) {
        return between(static_cast<int32_t>(range.getStart()), static_cast<int32_t>(range.getEnd()) - 1);
      })
      .Case<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::ReshapeOp, tt::TransOp, tt::SplitOp>(
          [&](Operation *move) { return of(move->getOperand(0)); })
      .Case([&](tt::GatherOp gather) { return of(gather.getSrc()); })
      .Case<tt::JoinOp, tt::CatOp>([&](Operation *pair) -> std::optional<Ends> {
        std::optional<Ends> a = of(pair->getOperand(0)), b = of(pair->getOperand(1));
        return a && b ? std::optional(joined(*a, *b)) : std::nullopt;
      })
      .Case([&](arith::SelectOp select) -> std::optional<Ends> {
        std::optional<Ends> a = of(select.getTrueValue()), b = of(select.getFalseValue());
        return a && b ? std::optional(joined(*a, *b)) : std::nullopt;
      })
      .Case(
          [&](arith::TruncIOp cut) { return widthOf(cut.getResult()) == 1 ? std::nullopt : of(cut.getIn()); })
      .Case([&](arith::ExtSIOp extend) -> std::optional<Ends> {
        std::optional<Ends> source = of(extend.getIn());
        if (source && widthOf(extend.getIn()) == 1)
          return Ends{code.sub(code.integer(wide, 0), source->high),
                      code.sub(code.integer(wide, 0), source->low)};
        return source;
      })
      .Case([&](arith::ExtUIOp extend) -> std::optional<Ends> {
        std::optional<Ends> source = of(extend.getIn());
        if (source)
          require(code.cmp(CmpIPredicate::sge, source->low, code.integer(wide, 0)));
        return source;
      })
      .Default(
          [&](Operation *other) { return other->getNumOperands() == 2 ? ofBinary(other) : std::nullopt; });
}

std::optional<Ends> Intervals::ofBinary(Operation *op) {
  Code code = state.code();
  if (widthOf(op->getResult(0)) == 1)
    return std::nullopt;
  Value right = op->getOperand(1);
  APInt constant;
  if (matchPattern(right, m_ConstantInt(&constant)))
    if (std::optional<Ends> ends = ofConstantRight(op, constant.getSExtValue()))
      return ends;
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::MinSIOp, arith::MaxSIOp>(op))
    return std::nullopt;
  std::optional<Ends> a = of(op->getOperand(0)), b = of(right);
  if (!a || !b)
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return Ends{code.add(a->low, b->low), code.add(a->high, b->high)};
  if (isa<arith::SubIOp>(op))
    return Ends{code.sub(a->low, b->high), code.sub(a->high, b->low)};
  if (isa<arith::MinSIOp>(op))
    return Ends{code.make<arith::MinSIOp>(a->low, b->low), code.make<arith::MinSIOp>(a->high, b->high)};
  if (isa<arith::MaxSIOp>(op))
    return Ends{code.make<arith::MaxSIOp>(a->low, b->low), code.make<arith::MaxSIOp>(a->high, b->high)};
  return product(*a, *b);
}

Value Intervals::isBelow(const Ends &ends, const Ends &limit) {
  Code code = state.code();
  return code.both(code.cmp(CmpIPredicate::sge, ends.low, code.integer(wide, 0)),
                   code.cmp(CmpIPredicate::slt, ends.high, limit.low));
}

bool Intervals::requireBelow(Value value, Value limit) {
  std::optional<Ends> ends = of(value), most = of(limit);
  if (!ends || !most)
    return false;
  require(isBelow(*ends, *most));
  return true;
}

bool Intervals::requireNotNegative(Value value) {
  std::optional<Ends> ends = of(value);
  if (!ends)
    return false;
  require(state.code().cmp(CmpIPredicate::sge, ends->low, state.code().integer(wide, 0)));
  return true;
}

// Of x % n: x itself, or between 0 and n - 1 on x's side of 0; x % 0 is x.
std::optional<Ends> Intervals::ofRemainder(Operation *op) {
  std::optional<Ends> x = of(op->getOperand(0)), n = of(op->getOperand(1));
  if (!x || !n)
    return std::nullopt;
  Code code = state.code();
  Value zero = code.integer(wide, 0);
  Value low = code.make<arith::MinSIOp>(x->low, zero), high = code.make<arith::MaxSIOp>(x->high, zero);
  Value same = isBelow(*x, *n);
  return Ends{code.select(same, x->low, low), code.select(same, x->high, high)};
}

std::optional<Ends> Intervals::ofConstantRight(Operation *op, int64_t right) {
  Code code = state.code();
  unsigned width = widthOf(op->getResult(0));
  if (right < 0)
    return std::nullopt;
  if (isa<arith::AndIOp>(op))
    return between(0, right);
  if (isa<arith::RemUIOp>(op) && right > 0)
    return between(0, right - 1);
  std::optional<Ends> left = of(op->getOperand(0));
  if (!left)
    return std::nullopt;
  bool inWidth = right < static_cast<int64_t>(width);
  Value factor = inWidth ? code.constant(IntegerAttr::get(wide, APInt::getOneBitSet(128, right))) : Value();
  if (isa<arith::ShLIOp>(op) && inWidth)
    return product(*left, {factor, factor});
  if (isa<arith::ShRSIOp>(op) && inWidth)
    return Ends{code.sar(left->low, right), code.sar(left->high, right)};
  if (right == 0)
    return std::nullopt;
  Value divisor = code.integer(wide, right);
  if (isa<arith::DivSIOp>(op) && width <= 32) {
    // Exact in 64 bits, where no library is needed.
    auto quotient = [&](Value x) {
      return code.sext(code.make<arith::DivSIOp>(code.trunc(x, code.i64()), code.i64(right)), wide);
    };
    return Ends{quotient(left->low), quotient(left->high)};
  }
  if (isa<arith::RemSIOp>(op)) {
    Value zero = code.integer(wide, 0), one = code.integer(wide, 1);
    Value most = code.sub(divisor, one);
    return Ends{code.make<arith::MaxSIOp>(code.make<arith::MinSIOp>(left->low, zero), code.sub(zero, most)),
                code.make<arith::MinSIOp>(code.make<arith::MaxSIOp>(left->high, zero), most)};
  }
  return std::nullopt;
}

} // namespace trisect::cpu
