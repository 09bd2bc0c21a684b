//===- IntegerBounds.cpp - the least and greatest value an integer can have -----------------------------===//
#include "core/analysis/IntegerBounds.h"
#include "core/ir/Ops.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include <algorithm>

using namespace mlir;

namespace trisect::tt {

using Wide = IntegerBounds::Wide;

IntegerBounds IntegerBounds::ofWidth(unsigned width) {
  Wide limit = static_cast<Wide>(1) << (width - 1);
  return {-limit, limit - 1};
}

IntegerBounds IntegerBounds::joined(IntegerBounds other) const {
  return {std::min(low, other.low), std::max(high, other.high)};
}

bool IntegerBounds::fit(unsigned width) const {
  IntegerBounds type = ofWidth(width);
  return low >= type.low && high <= type.high;
}

namespace {

/// Operations looked back at most; keeps the cost of one question small.
constexpr int kMostSteps = 8;

unsigned widthOf(Value value) {
  Type element = elementOf(value.getType());
  return element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
}

std::optional<int64_t> constantOf(Value value) {
  APInt bits;
  if (matchPattern(value, m_ConstantInt(&bits)) && bits.getBitWidth() <= 64)
    return bits.getSExtValue();
  return std::nullopt;
}

class Bounds {
public:
  IntegerBounds of(Value value, int steps) {
    IntegerBounds type = IntegerBounds::ofWidth(widthOf(value));
    if (steps == 0)
      return type;
    if (std::optional<int64_t> constant = constantOf(value))
      return {*constant, *constant};
    IntegerBounds found = type;
    if (Operation *op = value.getDefiningOp())
      found = ofOperation(op, type, steps - 1);
    else if (auto loop = scf::getForInductionVarOwner(value); loop && loop.getInductionVar() == value)
      found = ofInduction(loop, steps - 1);
    // Whatever leaves the type may have wrapped.
    return found.low >= type.low && found.high <= type.high ? found : type;
  }

private:
  IntegerBounds ofInduction(scf::ForOp loop, int steps) {
    IntegerBounds start = of(loop.getLowerBound(), steps), end = of(loop.getUpperBound(), steps);
    return {start.low, std::max(start.low, end.high - 1)};
  }

  IntegerBounds ofOperation(Operation *op, IntegerBounds type, int steps) {
    return llvm::TypeSwitch<Operation *, IntegerBounds>(op)
        .Case([](MakeRangeOp range) {
          return IntegerBounds{static_cast<int32_t>(range.getStart()),
                               static_cast<int32_t>(range.getEnd()) - 1};
        })
        .Case<GetProgramIdOp, GetNumProgramsOp>([&](Operation *) { return IntegerBounds{0, type.high}; })
        .Case<SplatOp, BroadcastOp, ExpandDimsOp, ReshapeOp, TransOp, arith::ExtSIOp, arith::TruncIOp>(
            [&](Operation *move) { return of(move->getOperand(0), steps); })
        .Case([&](arith::ExtUIOp extend) {
          IntegerBounds source = of(extend.getIn(), steps);
          Wide limit = static_cast<Wide>(1) << widthOf(extend.getIn());
          return source.low >= 0 ? source : IntegerBounds{0, limit - 1};
        })
        .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::MinSIOp, arith::MaxSIOp>(
            [&](Operation *binary) {
              return ofBinary(binary, of(binary->getOperand(0), steps), of(binary->getOperand(1), steps));
            })
        .Case<arith::DivSIOp, arith::RemSIOp, arith::AndIOp>(
            [&](Operation *binary) { return ofConstantRight(binary, type, steps); })
        .Case([&](arith::SelectOp select) {
          return of(select.getTrueValue(), steps).joined(of(select.getFalseValue(), steps));
        })
        .Default([&](Operation *) { return type; });
  }

  static IntegerBounds ofBinary(Operation *op, IntegerBounds lhs, IntegerBounds rhs) {
    if (isa<arith::AddIOp>(op))
      return lhs.plus(rhs);
    if (isa<arith::SubIOp>(op))
      return {lhs.low - rhs.high, lhs.high - rhs.low};
    if (isa<arith::MinSIOp>(op))
      return {std::min(lhs.low, rhs.low), std::min(lhs.high, rhs.high)};
    if (isa<arith::MaxSIOp>(op))
      return {std::max(lhs.low, rhs.low), std::max(lhs.high, rhs.high)};
    auto [low, high] =
        std::minmax({lhs.low * rhs.low, lhs.low * rhs.high, lhs.high * rhs.low, lhs.high * rhs.high});
    return {low, high};
  }

  IntegerBounds ofConstantRight(Operation *op, IntegerBounds type, int steps) {
    std::optional<int64_t> right = constantOf(op->getOperand(1));
    if (!right || *right <= 0)
      return type;
    if (isa<arith::AndIOp>(op))
      return {0, *right};
    IntegerBounds left = of(op->getOperand(0), steps);
    if (isa<arith::DivSIOp>(op))
      return {left.low / *right, left.high / *right};
    Wide most = *right - 1;
    return {left.low >= 0 ? 0 : std::max(left.low, -most), left.high < 0 ? 0 : std::min(left.high, most)};
  }
};

} // namespace

IntegerBounds boundsOf(Value value) { return Bounds().of(value, kMostSteps); }

} // namespace trisect::tt
