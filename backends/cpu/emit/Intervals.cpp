//===- Intervals.cpp - the least and greatest element of a block, in code -------------------------------===//
#include "backends/cpu/emit/Intervals.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/emit/Widenings.h"
#include "core/ir/Ops.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using arith::CmpIPredicate;
using End = trisect::cpu::Intervals::End;
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
  if (ends && isa<RankedTensorType>(value.getType()))
    requireFit(*ends, widthOf(value));
  known[value] = ends;
  return ends;
}

void Intervals::require(Value condition) { valid = state.code().both(valid, condition); }

Type Intervals::typeOf(unsigned bits) { return state.builder.getIntegerType(bits <= 64 ? 64 : 128); }

Value Intervals::in(const End &end, unsigned bits) { return state.code().resize(end.value, typeOf(bits)); }

End Intervals::number(const APInt &value) {
  unsigned bits = value.getSignificantBits();
  Type type = typeOf(bits);
  return {state.code().constant(IntegerAttr::get(type, value.sextOrTrunc(type.getIntOrFloatBitWidth()))),
          bits};
}

Value Intervals::compare(CmpIPredicate predicate, const End &a, const End &b) {
  unsigned bits = std::max(a.bits, b.bits);
  return state.code().cmp(predicate, in(a, bits), in(b, bits));
}

// An i1 counts as a bit: 0 or 1.
void Intervals::requireFit(Ends &ends, unsigned width) {
  if (width == 1) {
    require(compare(CmpIPredicate::sge, ends.low, number(0)));
    require(compare(CmpIPredicate::sle, ends.high, number(1)));
    return;
  }
  if (ends.low.bits > width)
    require(compare(CmpIPredicate::sge, ends.low, number(APInt::getSignedMinValue(width))));
  if (ends.high.bits > width)
    require(compare(CmpIPredicate::sle, ends.high, number(APInt::getSignedMaxValue(width))));
  bool same = ends.low.value == ends.high.value;
  for (End *end : {&ends.low, &ends.high})
    if (end->bits > width)
      *end = {in(*end, width), width};
  if (same)
    ends.high = ends.low;
}

End Intervals::sum(const End &a, const End &b) {
  if (constantOf(b.value) == 0)
    return a;
  if (constantOf(a.value) == 0)
    return b;
  return both<arith::AddIOp>(a, b, std::max(a.bits, b.bits) + 1);
}

End Intervals::difference(const End &a, const End &b) {
  return constantOf(b.value) == 0 ? a : both<arith::SubIOp>(a, b, std::max(a.bits, b.bits) + 1);
}

End Intervals::least(const End &a, const End &b) {
  return both<arith::MinSIOp>(a, b, std::max(a.bits, b.bits));
}

End Intervals::most(const End &a, const End &b) {
  return both<arith::MaxSIOp>(a, b, std::max(a.bits, b.bits));
}

Ends Intervals::joined(const Ends &a, const Ends &b) { return {least(a.low, b.low), most(a.high, b.high)}; }

Ends Intervals::product(const Ends &a, const Ends &b) {
  auto uniform = [&](const Ends &factor, const Ends &other) {
    auto times = [&](const End &x) { return both<arith::MulIOp>(x, factor.low, x.bits + factor.low.bits); };
    End first = times(other.low), second = times(other.high);
    return joined({first, first}, {second, second});
  };
  if (a.low.value == a.high.value)
    return uniform(a, b);
  if (b.low.value == b.high.value)
    return uniform(b, a);
  return joined(uniform({a.low, a.low}, b), uniform({a.high, a.high}, b));
}

std::optional<Ends> Intervals::compute(Value value) {
  Code code = state.code();
  if (!isa<RankedTensorType>(value.getType())) {
    auto found = state.scalars.find(value);
    if (found == state.scalars.end())
      return std::nullopt;
    unsigned width = widthOf(value);
    End scalar = width == 1 ? End{code.zext(found->second, code.i64()), 2}
                            : End{code.sext(found->second, code.i64()), width};
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
    Value counted = found->second.amount;
    End amount{code.sext(counted, code.i64()), widthOf(counted)};
    return Ends{sum(start->low, amount), sum(start->high, amount)};
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
          return Ends{difference(number(0), source->high), difference(number(0), source->low)};
        return source;
      })
      .Case([&](arith::ExtUIOp extend) -> std::optional<Ends> {
        std::optional<Ends> source = of(extend.getIn());
        if (source)
          require(compare(CmpIPredicate::sge, source->low, number(0)));
        return source;
      })
      .Default(
          [&](Operation *other) { return other->getNumOperands() == 2 ? ofBinary(other) : std::nullopt; });
}

std::optional<Ends> Intervals::ofBinary(Operation *op) {
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
    return Ends{sum(a->low, b->low), sum(a->high, b->high)};
  if (isa<arith::SubIOp>(op))
    return Ends{difference(a->low, b->high), difference(a->high, b->low)};
  if (isa<arith::MinSIOp>(op))
    return Ends{least(a->low, b->low), least(a->high, b->high)};
  if (isa<arith::MaxSIOp>(op))
    return Ends{most(a->low, b->low), most(a->high, b->high)};
  return product(*a, *b);
}

Value Intervals::isBelow(const Ends &ends, const Ends &limit) {
  return state.code().both(compare(CmpIPredicate::sge, ends.low, number(0)),
                           compare(CmpIPredicate::slt, ends.high, limit.low));
}

bool Intervals::requireBelow(Value value, Value limit) {
  std::optional<Ends> ends = of(value), above = of(limit);
  if (!ends || !above)
    return false;
  require(isBelow(*ends, *above));
  return true;
}

bool Intervals::requireNotNegative(Value value) {
  std::optional<Ends> ends = of(value);
  if (!ends)
    return false;
  require(compare(CmpIPredicate::sge, ends->low, number(0)));
  return true;
}

// Of x % n: x itself, or between 0 and n - 1 on x's side of 0; x % 0 is x.
std::optional<Ends> Intervals::ofRemainder(Operation *op) {
  std::optional<Ends> x = of(op->getOperand(0)), n = of(op->getOperand(1));
  if (!x || !n)
    return std::nullopt;
  Code code = state.code();
  End low = least(x->low, number(0)), high = most(x->high, number(0));
  Value same = isBelow(*x, *n);
  auto either = [&](const End &whole, const End &part) {
    return End{code.select(same, in(whole, part.bits), part.value), part.bits};
  };
  return Ends{either(x->low, low), either(x->high, high)};
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
  if (isa<arith::ShLIOp>(op) && inWidth) {
    End factor = number(APInt::getOneBitSet(128, right));
    return product(*left, {factor, factor});
  }
  if (isa<arith::ShRSIOp>(op) && inWidth) {
    auto shifted = [&](const End &x) { return End{code.sar(x.value, right), x.bits}; };
    return Ends{shifted(left->low), shifted(left->high)};
  }
  if (right == 0)
    return std::nullopt;
  if (isa<arith::DivSIOp>(op) && width <= 32) {
    // Exact in 64 bits, where no library is needed.
    auto quotient = [&](const End &x) { return both<arith::DivSIOp>(x, number(right), 32); };
    return Ends{quotient(left->low), quotient(left->high)};
  }
  if (isa<arith::RemSIOp>(op))
    return Ends{most(least(left->low, number(0)), number(1 - right)),
                least(most(left->high, number(0)), number(right - 1))};
  return std::nullopt;
}

} // namespace trisect::cpu
