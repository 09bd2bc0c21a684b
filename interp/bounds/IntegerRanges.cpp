//===- IntegerRanges.cpp - interval arithmetic on integers ----------------------------------------------===//
#include "interp/bounds/IntegerRanges.h"
#include "core/support/Enums.h"
#include "core/support/OpFacts.h"
#include "interp/exec/Format.h"
#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace trisect::interp {

namespace {

using Wide = __int128;

struct Range {
  Wide low, high;
};

Range rangeOf(const Span &span, DType type) { return {rankOf(span.low, type), rankOf(span.high, type)}; }

Span spanOf(Wide low, Wide high, DType type) {
  if (low < lowestRank(type) || high > highestRank(type))
    return Span::doubt(type);
  return {bitsOfRank(static_cast<int64_t>(low), type), bitsOfRank(static_cast<int64_t>(high), type)};
}

template <typename Op> Span corners(const Range &a, const Range &b, DType type, Op op) {
  Wide all[] = {op(a.low, b.low), op(a.low, b.high), op(a.high, b.low), op(a.high, b.high)};
  auto [low, high] = std::minmax_element(std::begin(all), std::end(all));
  return spanOf(*low, *high, type);
}

Wide floorDivided(Wide a, Wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

Span compared(attr::CmpI predicate, Range a, Range b) {
  using enum attr::CmpI;
  bool isUnsigned = predicate == Ult || predicate == Ule || predicate == Ugt || predicate == Uge;
  if (isUnsigned && (a.low < 0 || b.low < 0)) {
    if (a.high >= 0 || b.high >= 0)
      return Span::doubt(DType::I1); // negative numbers keep their order among themselves
  }
  auto always = [](bool yes, bool no) {
    return yes ? Span::at(1) : no ? Span::at(0) : Span::doubt(DType::I1);
  };
  bool apart = a.high < b.low || b.high < a.low;
  switch (predicate) {
  case Eq:
    return always(false, apart);
  case Ne:
    return always(apart, false);
  case Slt:
  case Ult:
    return always(a.high < b.low, a.low >= b.high);
  case Sle:
  case Ule:
    return always(a.high <= b.low, a.low > b.high);
  case Sgt:
  case Ugt:
    return always(a.low > b.high, a.high <= b.low);
  case Sge:
  case Uge:
    return always(a.low >= b.high, a.high < b.low);
  }
  return Span::doubt(DType::I1);
}

Span logical(OpId op, const Span &a, const Span &b) {
  switch (op) {
  case OpId::arith_andi:
    return {a.low & b.low, a.high & b.high};
  case OpId::arith_ori:
    return {a.low | b.low, a.high | b.high};
  default:
    return Span::doubt(DType::I1);
  }
}

bool isShift(OpId op) { return op == OpId::arith_shli || op == OpId::arith_shrsi || op == OpId::arith_shrui; }

Span shift(OpId op, const Range &a, const Span &by, DType type) {
  int64_t count = rankOf(by.low, type);
  if (!by.exact() || count < 0 || count >= bitWidth(type) || (op == OpId::arith_shrui && a.low < 0))
    return Span::doubt(type);
  Wide factor = Wide(1) << count;
  if (op == OpId::arith_shli)
    return spanOf(a.low * factor, a.high * factor, type);
  return spanOf(floorDivided(a.low, factor), floorDivided(a.high, factor), type);
}

Span divided(OpId op, const Range &a, const Range &b, DType type) {
  if (b.low <= 0 && b.high >= 0)
    return Span::doubt(type);
  if (op == OpId::arith_divui && (a.low < 0 || b.low < 0))
    return Span::doubt(type);
  return corners(a, b, type, [&](Wide x, Wide y) {
    if (op == OpId::arith_floordivsi)
      return floorDivided(x, y);
    return op == OpId::arith_ceildivsi ? -floorDivided(-x, y) : x / y;
  });
}

} // namespace

Span integerRange(OpId op, uint64_t attribute, const Span *operands, const DType *types, DType result) {
  Range a = rangeOf(operands[0], types[0]);
  switch (op) {
  case OpId::arith_extsi:
  case OpId::arith_index_cast:
  case OpId::arith_trunci:
    return types[0] == DType::I1 ? Span::doubt(result) : spanOf(a.low, a.high, result);
  case OpId::arith_extui:
  case OpId::arith_index_castui:
    return a.low < 0 ? Span::doubt(result) : spanOf(a.low, a.high, result);
  case OpId::math_absi:
    return a.low >= 0 ? operands[0]
                      : spanOf(a.high <= 0 ? -a.high : Wide(0), std::max(-a.low, a.high), result);
  default:
    break;
  }
  if (types[0] == DType::I1 && op != OpId::arith_cmpi)
    return logical(op, operands[0], operands[1]);
  Range b = rangeOf(operands[1], types[1]);
  bool natural = a.low >= 0 && b.low >= 0;
  switch (op) {
  case OpId::arith_cmpi:
    return compared(static_cast<attr::CmpI>(attribute), a, b);
  case OpId::arith_addi:
    return spanOf(a.low + b.low, a.high + b.high, result);
  case OpId::arith_subi:
    return spanOf(a.low - b.high, a.high - b.low, result);
  case OpId::arith_muli:
    return corners(a, b, result, [](Wide x, Wide y) { return x * y; });
  case OpId::arith_minui:
  case OpId::arith_maxui:
    if (!natural)
      return Span::doubt(result);
    [[fallthrough]];
  case OpId::arith_minsi:
  case OpId::arith_maxsi: {
    bool least = op == OpId::arith_minsi || op == OpId::arith_minui;
    return corners(a, b, result, [&](Wide x, Wide y) { return least == (x < y) ? x : y; });
  }
  case OpId::arith_divsi:
  case OpId::arith_divui:
  case OpId::arith_floordivsi:
  case OpId::arith_ceildivsi:
    return divided(op, a, b, result);
  default:
    return isShift(op) ? shift(op, a, operands[1], result) : Span::doubt(result);
  }
}

bool isUndefined(OpId op, const Span *operands, const DType *types, DType result) {
  if (op == OpId::arith_fptosi || op == OpId::arith_fptoui) {
    bool isSigned = op == OpId::arith_fptosi;
    double limit = std::ldexp(1.0, static_cast<int>(bitWidth(result)) - (isSigned ? 1 : 0));
    double number = std::trunc(toDouble(operands[0].low, types[0]));
    return !(number >= (isSigned ? -limit : 0.0) && number < limit);
  }
  int64_t by = rankOf(operands[1].low, types[1]);
  if (isShift(op))
    return by < 0 || by >= bitWidth(result);
  bool isSigned = !readsUnsigned(op);
  return by == 0 || (isSigned && by == -1 && rankOf(operands[0].low, types[0]) == lowestRank(types[0]));
}

} // namespace trisect::interp
