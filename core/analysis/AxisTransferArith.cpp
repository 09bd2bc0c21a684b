//===- AxisTransferArith.cpp - axis facts of integer arithmetic -----------------------------------------===//
//
// Divisions, remainders, masks and comparisons reason on an aligned run of g elements: they are g*m, g*m+1,
// ... g*m+g-1, so they differ in their log2(g) low bits only, whatever else they are.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/analysis/AxisTransfer.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;

namespace trisect::tt {

namespace {

using Dimension = AxisInfo::Dimension;

/// The integer of `width` bits that a computation in 64 bits gives, sign extended.
int64_t wrap(int64_t value, unsigned width) { return width >= 64 ? value : llvm::SignExtend64(value, width); }

/// Facts of a binary operation, an axis at a time.
class Binary {
public:
  Binary(Type type, const AxisInfo &lhs, const AxisInfo &rhs) : type(type), lhs(lhs), rhs(rhs) {}

  AxisInfo each(llvm::function_ref<Dimension(size_t axis)> rule) const {
    AxisInfo info;
    for (size_t axis = 0; axis < lhs.rank(); ++axis)
      info.dimensions.push_back(rule(axis));
    return info;
  }

  int64_t bothConstant(size_t axis) const { return std::min(lhs.constancy(axis), rhs.constancy(axis)); }

  AxisInfo sum(bool isDifference) const {
    AxisInfo info = each([&](size_t axis) {
      int64_t rising = std::min(lhs.contiguity(axis), rhs.constancy(axis));
      if (!isDifference)
        rising = std::max(rising, std::min(lhs.constancy(axis), rhs.contiguity(axis)));
      auto divisibility = [&] {
        return std::min(lhs.divisibilityAt(axis, rising), rhs.divisibilityAt(axis, rising));
      };
      if (mayWrap()) // never within an aligned run of at most half the numbers
        rising = std::min({rising, divisibility(), int64_t(1) << (elementBits(type) - 1)});
      return Dimension{rising, divisibility(), bothConstant(axis)};
    });
    info.nonNegative = !isDifference && lhs.nonNegative && rhs.nonNegative && !mayWrap();
    return info;
  }

  AxisInfo product() const {
    if (rhs.constant == 1)
      return lhs;
    if (lhs.constant == 1)
      return rhs;
    AxisInfo info = each([&](size_t axis) {
      return Dimension{1, multiplyDivisibility(lhs.divisibilityAt(axis, 1), rhs.divisibilityAt(axis, 1)),
                       bothConstant(axis)};
    });
    info.nonNegative = lhs.nonNegative && rhs.nonNegative && !mayWrap();
    return info;
  }

  /// Elements that share a quotient or keep their order in a remainder.
  int64_t runWithinDivisor(size_t axis) const {
    return std::min({lhs.alignedRun(axis), rhs.constancy(axis), rhs.divisibilityAt(axis, 1)});
  }

  AxisInfo quotient(bool isSigned) const {
    if (rhs.constant == 1)
      return lhs;
    bool floors = !isSigned || lhs.nonNegative;
    AxisInfo info = each([&](size_t axis) {
      Dimension dimension{1, 1, bothConstant(axis)};
      if (floors)
        dimension.constancy = std::max(dimension.constancy, runWithinDivisor(axis));
      if (rhs.constant && *rhs.constant > 0 && llvm::isPowerOf2_64(*rhs.constant))
        dimension.divisibility = divisibilityAfterShift(axis, llvm::Log2_64(*rhs.constant), floors);
      return dimension;
    });
    info.nonNegative = lhs.nonNegative && rhs.nonNegative;
    return info;
  }

  AxisInfo remainder(bool isSigned) const {
    if (rhs.constant == 1)
      return AxisInfo::ofConstant(type, 0);
    bool floors = !isSigned || lhs.nonNegative;
    AxisInfo info = each([&](size_t axis) {
      int64_t rising = floors ? runWithinDivisor(axis) : 1;
      return Dimension{rising, std::min(lhs.divisibilityAt(axis, rising), rhs.divisibilityAt(axis, 1)),
                       bothConstant(axis)};
    });
    info.nonNegative = lhs.nonNegative;
    return info;
  }

  /// Of all elements after dropping low bits; `floors` if elements that are no multiples round down.
  int64_t divisibilityAfterShift(size_t axis, unsigned bits, bool floors) const {
    int64_t group = int64_t(1) << bits;
    int64_t source = lhs.divisibilityAt(axis, 1);
    if (floors && lhs.alignedRun(axis) >= group)
      source = std::max(source, lhs.divisibilityAt(axis, group));
    return std::max<int64_t>(1, source >> bits);
  }

  AxisInfo shiftRight() const {
    if (!rhs.constant || *rhs.constant < 0 || *rhs.constant >= 62)
      return each([&](size_t axis) { return Dimension{1, 1, bothConstant(axis)}; });
    unsigned bits = *rhs.constant;
    AxisInfo info = each([&](size_t axis) {
      int64_t shared = std::min(lhs.alignedRun(axis), int64_t(1) << bits);
      Dimension dimension{1, divisibilityAfterShift(axis, bits, true), std::max(bothConstant(axis), shared)};
      if (bits == 0)
        dimension = lhs.dimensions[axis];
      return dimension;
    });
    info.nonNegative = lhs.nonNegative;
    return info;
  }

  AxisInfo shiftLeft() const {
    if (rhs.constant == 0)
      return lhs;
    bool known = rhs.constant && *rhs.constant > 0 && *rhs.constant < 62;
    int64_t factor = known ? int64_t(1) << *rhs.constant : 1;
    AxisInfo info = each([&](size_t axis) {
      return Dimension{1, multiplyDivisibility(lhs.divisibilityAt(axis, 1), factor), bothConstant(axis)};
    });
    info.nonNegative = known && lhs.nonNegative && !mayWrap();
    return info;
  }

  /// and, or, xor: with a right side whose low bits are all set (and) or clear (or, xor), an aligned run
  /// keeps its order; with an and that clears them it becomes constant.
  AxisInfo bitwise(bool isAnd) const {
    AxisInfo info = each([&](size_t axis) {
      int64_t rising = std::max(keptRun(lhs, rhs, axis, isAnd), keptRun(rhs, lhs, axis, isAnd));
      int64_t left = lhs.divisibilityAt(axis, rising), right = rhs.divisibilityAt(axis, rising);
      int64_t constancy = bothConstant(axis);
      if (isAnd)
        constancy = std::max({constancy, clearedRun(lhs, rhs, axis), clearedRun(rhs, lhs, axis)});
      return Dimension{rising, isAnd ? std::max(left, right) : std::min(left, right), constancy};
    });
    info.nonNegative = isAnd ? lhs.nonNegative || rhs.nonNegative : lhs.nonNegative && rhs.nonNegative;
    return info;
  }

  AxisInfo compare(arith::CmpIPredicate predicate) const {
    using Predicate = arith::CmpIPredicate;
    bool belowRight =
        llvm::is_contained({Predicate::slt, Predicate::sge, Predicate::ult, Predicate::uge}, predicate);
    bool belowLeft =
        llvm::is_contained({Predicate::sgt, Predicate::sle, Predicate::ugt, Predicate::ule}, predicate);
    return each([&](size_t axis) {
      int64_t constancy = bothConstant(axis);
      if (belowRight)
        constancy = std::max(constancy, uniformRun(lhs, rhs, axis));
      if (belowLeft)
        constancy = std::max(constancy, uniformRun(rhs, lhs, axis));
      return Dimension{1, 1, constancy};
    });
  }

private:
  /// See AxisInfo.h.
  bool mayWrap() const { return !type.isIndex() && elementBits(type) < 32; }

  static int64_t keptRun(const AxisInfo &run, const AxisInfo &mask, size_t axis, bool isAnd) {
    int64_t aligned = run.alignedRun(axis);
    if (!isAnd)
      return std::min({aligned, mask.constancy(axis), mask.divisibilityAt(axis, 1)});
    if (!mask.constant)
      return 1;
    unsigned setBits = std::min<unsigned>(llvm::countr_one(static_cast<uint64_t>(*mask.constant)), 61);
    return std::min(aligned, int64_t(1) << setBits);
  }

  static int64_t clearedRun(const AxisInfo &run, const AxisInfo &mask, size_t axis) {
    return std::min({run.alignedRun(axis), mask.constancy(axis), mask.divisibilityAt(axis, 1)});
  }

  /// x < N has one answer for an aligned run whose length divides N.
  static int64_t uniformRun(const AxisInfo &run, const AxisInfo &bound, size_t axis) {
    return std::min({run.alignedRun(axis), bound.constancy(axis), bound.divisibilityAt(axis, 1)});
  }

  Type type;
  const AxisInfo &lhs;
  const AxisInfo &rhs;
};

AxisInfo transferSelect(arith::SelectOp op, AxisOperands operands) {
  const AxisInfo &condition = *operands[0], &onTrue = *operands[1], &onFalse = *operands[2];
  if (condition.constant)
    return *condition.constant != 0 ? onTrue : onFalse;
  AxisInfo info = AxisInfo::join(onTrue, onFalse);
  if (info.constant || !isTile(op.getCondition().getType()))
    return info;
  for (size_t axis = 0; axis < info.rank(); ++axis) {
    Dimension &dimension = info.dimensions[axis];
    int64_t choice = condition.constancy(axis);
    dimension.contiguity = std::min(dimension.contiguity, choice);
    dimension.constancy = std::min(dimension.constancy, choice);
    dimension.divisibility = std::min(onTrue.divisibilityAt(axis, dimension.contiguity),
                                      onFalse.divisibilityAt(axis, dimension.contiguity));
  }
  return info;
}

AxisInfo transferExtremum(Type type, const AxisInfo &lhs, const AxisInfo &rhs, bool isSignedMax) {
  Binary binary(type, lhs, rhs);
  AxisInfo info = binary.each([&](size_t axis) {
    return Dimension{1, std::min(lhs.divisibilityAt(axis, 1), rhs.divisibilityAt(axis, 1)),
                     binary.bothConstant(axis)};
  });
  info.nonNegative =
      (lhs.nonNegative && rhs.nonNegative) || (isSignedMax && (lhs.nonNegative || rhs.nonNegative));
  return info;
}

/// Runs that are aligned to half the range of the narrower signed type stay runs when they are cut to it, and
/// those aligned to their length stay runs when they are read as unsigned.
AxisInfo keepAlignedRuns(AxisInfo info, int64_t limit) {
  for (size_t axis = 0; axis < info.rank(); ++axis) {
    int64_t rising = std::min(info.alignedRun(axis), limit);
    info.dimensions[axis].divisibility = info.divisibilityAt(axis, rising);
    info.dimensions[axis].contiguity = rising;
  }
  return info;
}

AxisInfo transferTruncation(arith::TruncIOp op, AxisInfo info) {
  unsigned width = elementBits(op.getType());
  if (info.constant)
    return AxisInfo::ofConstant(op.getType(), wrap(*info.constant, width));
  info = keepAlignedRuns(std::move(info), int64_t(1) << std::min(width - 1, 61u));
  info.nonNegative = false;
  return info;
}

AxisInfo transferUnsignedExtension(arith::ExtUIOp op, AxisInfo info) {
  unsigned width = elementBits(op.getIn().getType());
  if (info.constant)
    return AxisInfo::ofConstant(op.getType(), *info.constant & llvm::maskTrailingOnes<uint64_t>(width));
  if (!info.nonNegative)
    info = keepAlignedRuns(std::move(info), kMostDivisibility);
  info.nonNegative = true;
  return info;
}

/// The known result of known operands; nothing where it is undefined.
std::optional<int64_t> fold(Operation *op, int64_t lhs, int64_t rhs, unsigned width) {
  auto unsignedOf = [&](int64_t value) {
    return static_cast<uint64_t>(value) & llvm::maskTrailingOnes<uint64_t>(width);
  };
  uint64_t left = lhs, right = rhs;
  bool shifts = rhs >= 0 && rhs < static_cast<int64_t>(width);
  bool divides = rhs != 0 && rhs != -1;
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case([&](arith::AddIOp) { return wrap(left + right, width); })
      .Case([&](arith::SubIOp) { return wrap(left - right, width); })
      .Case([&](arith::MulIOp) { return wrap(left * right, width); })
      .Case([&](arith::AndIOp) { return lhs & rhs; })
      .Case([&](arith::OrIOp) { return lhs | rhs; })
      .Case([&](arith::XOrIOp) { return lhs ^ rhs; })
      .Case([&](arith::DivSIOp) { return divides ? std::optional(lhs / rhs) : std::nullopt; })
      .Case([&](arith::RemSIOp) { return divides ? std::optional(lhs % rhs) : std::nullopt; })
      .Case([&](arith::ShLIOp) { return shifts ? std::optional(wrap(left << right, width)) : std::nullopt; })
      .Case([&](arith::ShRSIOp) { return shifts ? std::optional(lhs >> rhs) : std::nullopt; })
      .Case([&](arith::ShRUIOp) {
        return shifts ? std::optional(wrap(unsignedOf(lhs) >> rhs, width)) : std::nullopt;
      })
      .Case([&](arith::MaxSIOp) { return std::max(lhs, rhs); })
      .Case([&](arith::MinSIOp) { return std::min(lhs, rhs); })
      .Case([&](arith::CmpIOp compare) {
        APInt a(width, unsignedOf(lhs)), b(width, unsignedOf(rhs));
        return int64_t(arith::applyCmpPredicate(compare.getPredicate(), a, b) ? -1 : 0);
      })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace

std::optional<AxisInfo> transferArith(OpResult result, AxisOperands operands) {
  Operation *op = result.getOwner();
  Type type = result.getType();
  if (!isIntLike(type) && !type.isIndex() && !isa<arith::SelectOp>(op))
    return std::nullopt;
  if (operands.size() == 2 && operands[0]->constant && operands[1]->constant) {
    Type operand = op->getOperand(0).getType();
    unsigned width = operand.isIndex() ? 64 : elementBits(operand);
    if (std::optional<int64_t> known = fold(op, *operands[0]->constant, *operands[1]->constant, width))
      return AxisInfo::ofConstant(type, *known);
  }
  auto binary = [&] { return Binary(type, *operands[0], *operands[1]); };
  using Found = std::optional<AxisInfo>;
  return llvm::TypeSwitch<Operation *, Found>(op)
      .Case([&](arith::AddIOp) -> Found { return binary().sum(/*isDifference=*/false); })
      .Case([&](arith::SubIOp) -> Found { return binary().sum(/*isDifference=*/true); })
      .Case([&](arith::MulIOp) -> Found { return binary().product(); })
      .Case([&](arith::DivSIOp) -> Found { return binary().quotient(/*isSigned=*/true); })
      .Case([&](arith::DivUIOp) -> Found { return binary().quotient(/*isSigned=*/false); })
      .Case([&](arith::RemSIOp) -> Found { return binary().remainder(/*isSigned=*/true); })
      .Case([&](arith::RemUIOp) -> Found { return binary().remainder(/*isSigned=*/false); })
      .Case([&](arith::AndIOp) -> Found { return binary().bitwise(/*isAnd=*/true); })
      .Case<arith::OrIOp, arith::XOrIOp>(
          [&](Operation *) -> Found { return binary().bitwise(/*isAnd=*/false); })
      .Case([&](arith::ShLIOp) -> Found { return binary().shiftLeft(); })
      .Case<arith::ShRSIOp, arith::ShRUIOp>([&](Operation *) -> Found { return binary().shiftRight(); })
      .Case([&](arith::CmpIOp compare) -> Found { return binary().compare(compare.getPredicate()); })
      .Case([&](arith::SelectOp select) -> Found { return transferSelect(select, operands); })
      .Case<arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp>(
          [&](Operation *extremum) -> Found {
            return transferExtremum(type, *operands[0], *operands[1], isa<arith::MaxSIOp>(extremum));
          })
      .Case<arith::ExtSIOp, arith::IndexCastOp>([&](Operation *) -> Found { return *operands[0]; })
      .Case([&](arith::ExtUIOp extend) -> Found { return transferUnsignedExtension(extend, *operands[0]); })
      .Case([&](arith::TruncIOp truncate) -> Found { return transferTruncation(truncate, *operands[0]); })
      .Case([&](arith::BitcastOp cast) -> Found {
        return cast.getIn().getType() == type ? Found(*operands[0]) : std::nullopt;
      })
      .Default([](Operation *) -> Found { return std::nullopt; });
}

} // namespace trisect::tt
