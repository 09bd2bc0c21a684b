//===- Elementwise.cpp - ends through elementwise operations on floats ----------------------------------===//
//
// The operation's own kernel runs over corners of its operands' ends; the hull of what comes out, widened by
// what the operation leaves open, holds every legal value. Which corners do, the course of the operation
// says.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/support/Enums.h"
#include "core/support/OpFacts.h"
#include "interp/bounds/Bounds.h"
#include "interp/bounds/Elements.h"
#include "interp/bounds/IntegerRanges.h"
#include "interp/exec/Format.h"
#include <algorithm>
#include <cmath>

namespace trisect::interp {

namespace {

/// As openUlps; code for CPUs has the function of an op whatever name it is called by.
int64_t openOf(const Instr &i, DType result, const BoundProfile &profile) {
  bool isOp = i.op == OpId::tt_extern_elementwise && i.attribute == anotherNameOfAnOp;
  return isOp && !profile.gpu ? 0 : openUlps(i.op, result, profile);
}

bool isBitcast(OpId op) { return op == OpId::arith_bitcast || op == OpId::tt_bitcast; }
bool sameBits(OpId op) { return isBitcast(op) || op == OpId::tt_int_to_ptr || op == OpId::tt_ptr_to_int; }

const Span &at(const Ends &list, int64_t lane) {
  return list[list.size() == 1 ? 0 : static_cast<size_t>(lane)];
}

/// A kernel over chosen ends of its operands.
class Corner {
public:
  Corner(const Instr &i, ElementwiseFn kernel, const std::vector<Ends> &operands,
         const std::vector<DType> &types, int64_t count, DType result)
      : i(i), kernel(kernel), operands(operands), types(types), count(count), size(byteSize(result)) {}

  /// Bit n of `highs`: operand n stands at its high end.
  std::vector<uint64_t> run(unsigned highs) const {
    std::vector<std::vector<char>> packed(operands.size());
    Strip strips[4] = {};
    for (size_t n = 0; n < operands.size(); ++n) {
      unsigned width = byteSize(types[n]);
      packed[n].resize(operands[n].size() * width + 64);
      for (size_t lane = 0; lane < operands[n].size(); ++lane) {
        const Span &span = operands[n][lane];
        std::memcpy(packed[n].data() + lane * width, highs >> n & 1 ? &span.high : &span.low, width);
      }
      strips[n] = {packed[n].data(), operands[n].size() == 1};
    }
    std::vector<char> out(static_cast<size_t>(count) * size + 64);
    kernel(out.data(), strips, count, i.attribute);
    std::vector<uint64_t> bits(static_cast<size_t>(count), 0);
    for (size_t lane = 0; lane < bits.size(); ++lane)
      std::memcpy(&bits[lane], out.data() + lane * size, size);
    return bits;
  }

private:
  const Instr &i;
  ElementwiseFn kernel;
  const std::vector<Ends> &operands;
  const std::vector<DType> &types;
  int64_t count;
  unsigned size;
};

bool spansZero(const Span &span, DType type) {
  return !span.exact() && rankOf(span.low, type) <= 0 && rankOf(span.high, type) >= -1;
}

/// Choices of ends among which the extremes are.
std::vector<unsigned> cornersOf(Course course, unsigned operands) {
  unsigned all = (1u << operands) - 1;
  switch (course) {
  case Course::Unknown:
    return {0};
  case Course::Rising:
  case Course::Falling:
  case Course::Wave:
    return {0, all};
  case Course::Difference:
    return {2, 1};
  case Course::Corners:
  case Course::Even:
    break;
  }
  std::vector<unsigned> corners;
  for (unsigned n = 0; n <= all; ++n)
    corners.push_back(n);
  return corners;
}

/// Whether the course holds for these operands of one element.
bool holds(const Instr &i, Course course, const Span *operands, const DType *types) {
  if (course == Course::Unknown)
    return false;
  switch (i.op) {
  case OpId::arith_divf:
  case OpId::tt_precise_divf:
  case OpId::tt_approx_divf:
    return !spansZero(operands[1], types[1]);
  case OpId::math_rsqrt:
    return rankOf(operands[0].low, types[0]) >= 0;
  case OpId::math_powf:
    return operands[0].exact() || rankOf(operands[0].low, types[0]) > 0;
  case OpId::arith_fptoui:
    return rankOf(operands[0].low, types[0]) >= 0;
  default:
    return true;
  }
}

/// Of a function that changes by no more than its operand.
Span wave(const Span &ends, const Span &operand, DType from, DType type) {
  double slack = (toDouble(operand.high, from) - toDouble(operand.low, from)) / 2;
  if (!std::isfinite(slack))
    return Span::doubt(type);
  double low = std::max(-1.0, toDouble(ends.low, type) - slack);
  double high = std::min(1.0, toDouble(ends.high, type) + slack);
  return Span{fromDouble(low, type), fromDouble(high, type)}.widened(type, 1);
}

/// A conversion to an integer that may not fit is undefined.
bool overflows(OpId op, const Span &operand, DType from, DType to) {
  Span low = Span::at(operand.low), high = Span::at(operand.high);
  return isUndefined(op, &low, &from, to) || isUndefined(op, &high, &from, to);
}

/// In a GPU's approximate functions subnormal numbers become zero.
Span flushed(const Span &span, DType type) {
  if (type != DType::F32)
    return span;
  constexpr int64_t leastNormal = 0x00800000;
  int64_t low = rankOf(span.low, type), high = rankOf(span.high, type);
  bool touches = low < leastNormal && high > -leastNormal - 1;
  if (!touches || (low >= 0 && low == high && low == 0))
    return span;
  return span.united({bitsOfRank(-leastNormal - 1, type), bitsOfRank(leastNormal, type)}, type);
}

/// A comparison of equality says one thing only if the ends leave no choice.
Span equality(const Span &a, const Span &b, DType type, uint64_t decided, bool unequal) {
  if (a.exact() && b.exact())
    return Span::at(decided);
  bool apart =
      rankOf(a.high, type) < rankOf(b.low, type) - 1 || rankOf(b.high, type) < rankOf(a.low, type) - 1;
  return apart ? Span::at(unequal) : Span::doubt(DType::I1);
}

bool isEquality(uint64_t predicate) {
  auto test = static_cast<attr::CmpF>(predicate);
  return test == attr::CmpF::OEQ || test == attr::CmpF::UEQ;
}
bool isInequality(uint64_t predicate) {
  auto test = static_cast<attr::CmpF>(predicate);
  return test == attr::CmpF::ONE || test == attr::CmpF::UNE;
}

Span chosen(const Span &condition, const Span &yes, const Span &no, DType type) {
  if (condition.exact())
    return condition.low & 1 ? yes : no;
  return yes.united(no, type);
}

/// A magnitude with the sign of a NaN, which is nobody's: either one.
Span eitherSign(const Span &magnitude, DType type) {
  if (isNan(magnitude.low, type) || isNan(magnitude.high, type))
    return Span::doubt(type);
  uint64_t sign = uint64_t(1) << (bitWidth(type) - 1);
  uint64_t most = std::max(magnitude.low & ~sign, magnitude.high & ~sign);
  return {most | sign, most};
}

bool anyDoubt(const Span *operands, const DType *types, size_t count) {
  for (size_t n = 0; n < count; ++n)
    if (operands[n].inDoubt(types[n]))
      return true;
  return false;
}

/// One instruction over the ends of its operands, lane by lane.
class Lanes {
public:
  Lanes(const Instr &i, DType type, const std::vector<DType> &types, const BoundProfile &profile)
      : i(i), type(type), types(types), profile(profile), open(openOf(i, type, profile)),
        undefines(makesUndefined(i.op)),
        integral(!isFloat(type) && !isFloat(types[0]) && i.op != OpId::arith_select),
        course(integral || i.op == OpId::arith_cmpf ? Course::Corners : courseOf(i.op)) {}

  /// Runs the kernel over the ends that the course asks for.
  void runCorners(ElementwiseFn kernel, const std::vector<Ends> &operands, int64_t count) {
    if (!kernel || i.op == OpId::arith_select || sameBits(i.op))
      return;
    Corner corner(i, kernel, operands, types, count, type);
    for (unsigned choice : integral ? std::vector<unsigned>{0} : cornersOf(course, i.numOperands))
      results.push_back(corner.run(choice));
    if (course == Course::Even) {
      std::vector<Ends> zero{Ends{Span::at(0)}};
      results.push_back(Corner(i, kernel, zero, types, count, type).run(0));
    }
  }

  /// The ends of a lane whose operands have the ends `own`.
  Span of(const Span *own, int64_t lane) const {
    if (i.op == OpId::arith_select)
      return chosen(own[0], own[1], own[2], type);
    Span span = unflushed(own, lane);
    bool flushes = open && profile.gpu && !span.inDoubt(type) && !isNan(span.low, type);
    return flushes ? flushed(span, type) : span;
  }
  /// The lane is in doubt, and none of its operands is.
  bool bringsDoubt(const Span *own, const Span &span) const {
    return i.op != OpId::arith_select && span.inDoubt(type) && !anyDoubt(own, types.data(), types.size());
  }

private:
  Span result(size_t corner, int64_t lane) const {
    return Span::at(results[corner][static_cast<size_t>(lane)]);
  }

  Span unflushed(const Span *own, int64_t lane) const {
    DType first = types[0];
    bool exact = std::all_of(own, own + types.size(), [](const Span &span) { return span.exact(); });
    if (integral && first == DType::I1 && types.size() == 2 && i.op != OpId::arith_cmpi)
      return integerRange(i.op, i.attribute, own, types.data(), type); // one operand may decide alone
    if (anyDoubt(own, types.data(), types.size()))
      return Span::doubt(type);
    if (sameBits(i.op))
      return own[0].recast(first, type);
    if (i.op == OpId::math_copysign && isNan(own[1].low, first) && !isNan(own[0].low, first))
      return eitherSign(own[0], type);
    if (exact) {
      bool nothing = undefines && isUndefined(i.op, own, types.data(), type);
      return nothing ? Span::doubt(type) : result(0, lane).widened(type, open);
    }
    if (integral)
      return integerRange(i.op, i.attribute, own, types.data(), type);
    if (i.op == OpId::arith_cmpf && (isEquality(i.attribute) || isInequality(i.attribute)))
      return equality(own[0], own[1], first, result(0, lane).low, isInequality(i.attribute));
    if (!holds(i, course, own, types.data()) || (undefines && overflows(i.op, own[0], first, type)))
      return Span::doubt(type);
    return hull(own, lane);
  }

  /// What the corners give, united and widened.
  Span hull(const Span *own, int64_t lane) const {
    Span span = result(0, lane);
    size_t corners = results.size() - (course == Course::Even);
    for (size_t n = 1; n < corners; ++n)
      span = span.united(result(n, lane), type);
    if (course == Course::Even && spansZero(own[0], types[0]))
      span = span.united(result(corners, lane), type);
    if (course == Course::Wave && !span.inDoubt(type))
      span = wave(span, own[0], types[0], type);
    return span.inDoubt(type) ? span : span.widened(type, open);
  }

  const Instr &i;
  DType type;
  const std::vector<DType> &types;
  const BoundProfile &profile;
  int64_t open;
  bool undefines, integral;
  Course course;
  std::vector<std::vector<uint64_t>> results; ///< by corner, by lane
};

} // namespace

void Bounds::loseRounding(const Instance &s, const Instr &i, std::vector<Ends> &operands) const {
  if (!profile.contracts || (i.op != OpId::arith_addf && i.op != OpId::arith_subf))
    return;
  DType type = s.type(s.resultSlot(i));
  for (unsigned n = 0; n < i.numOperands; ++n)
    if (products[s.operandSlot(i, n)])
      for (Span &span : operands[n])
        if (!span.inDoubt(type))
          span = span.widened(type, 1);
}

void Bounds::elementwise(Instance &s, const Instr &i) {
  SlotId slot = s.resultSlot(i);
  DType type = s.type(slot), first = s.type(s.operandSlot(i, 0));
  int64_t open = openOf(i, type, profile), count = s.elements(i, slot);
  bool recasts = isBitcast(i.op) && isFloat(first) && type != first;
  bool fuses = profile.contracts && (i.op == OpId::arith_addf || i.op == OpId::arith_subf);
  bool signs = i.op == OpId::math_copysign;
  if (!anyOpen(s, i) && !open && !makesUndefined(i.op) && !recasts && !fuses && !signs)
    return;
  std::vector<Ends> operands;
  std::vector<DType> types;
  for (unsigned n = 0; n < i.numOperands; ++n) {
    operands.push_back(operandEnds(s, i, n, endsOf(s, i, n)));
    types.push_back(s.type(s.operandSlot(i, n)));
  }
  if (operands.size() > 4)
    return anyOpen(s, i) || open ? setDoubt(s, i, "a function of open values") : void();
  loseRounding(s, i, operands);
  Lanes lanes(i, type, types, profile);
  lanes.runCorners(i.kernel[s.numerics], operands, count);
  Ends out(static_cast<size_t>(count));
  bool doubts = false;
  for (int64_t lane = 0; lane < count; ++lane) {
    Span own[4];
    for (size_t n = 0; n < operands.size(); ++n)
      own[n] = at(operands[n], lane);
    Span &span = out[static_cast<size_t>(lane)];
    span = lanes.of(own, lane);
    doubts |= lanes.bringsDoubt(own, span);
  }
  if (doubts)
    noteDoubt(s, i, "what open values give");
  set(0, std::move(out), type);
}

} // namespace trisect::interp
