//===- WrapChecker.cpp - integers that wrap around on their way to an address ---------------------------===//
//
// The plan marks arithmetic whose result may decide an access. The ranges of symbolic operands are looked at
// first, then elements.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Linear.h"
#include "interp/shadow/Checker.h"
#include "interp/shadow/Elements.h"
#include "interp/shadow/Wide.h"

namespace trisect::interp {

namespace {

class Wraps final : public Checker {
public:
  using Checker::Checker;
  void spoil(const Instr &i, TaintLanes &lanes, int64_t count) override;

private:
  void arithmetic(const Instr &i, TaintLanes &lanes, int64_t count);
  /// Sums of a reduction or scan that do not fit their type.
  void folds(const Instr &i, TaintLanes &lanes);
};

Wide apply(OpId op, Wide a, Wide b) {
  switch (op) {
  case OpId::arith_addi:
    return a + b;
  case OpId::arith_subi:
    return a - b;
  case OpId::arith_muli:
    return a * b;
  default: // a shift by the width or more is undefined, not wrapped
    return b < 0 || b >= 63 ? Wide(0) : a * (Wide(1) << int(b));
  }
}

const char *symbolOf(OpId op) {
  switch (op) {
  case OpId::arith_addi:
    return " + ";
  case OpId::arith_subi:
    return " - ";
  case OpId::arith_muli:
    return " * ";
  default:
    return " << ";
  }
}

std::string decimal(Wide value) {
  if (value == 0)
    return "0";
  bool negative = value < 0;
  std::string digits;
  for (; value; value /= 10) {
    auto digit = static_cast<int>(value % 10);
    digits.insert(digits.begin(), static_cast<char>('0' + (digit < 0 ? -digit : digit)));
  }
  return negative ? "-" + digits : digits;
}

/// Whether any lane of a dense i32 operation wraps: a loop that vectorises.
template <typename T, typename W>
bool anyWraps(OpId op, const T *a, bool splatA, const T *b, bool splatB, int64_t count) {
  auto scan = [&](auto f) {
    W bad = 0;
    for (int64_t n = 0; n < count; ++n) {
      W exact = f(W(a[splatA ? 0 : n]), W(b[splatB ? 0 : n]));
      bad |= exact - W(T(exact));
    }
    return bad != 0;
  };
  switch (op) {
  case OpId::arith_addi:
    return scan([](W x, W y) { return x + y; });
  case OpId::arith_subi:
    return scan([](W x, W y) { return x - y; });
  case OpId::arith_muli:
    return scan([](W x, W y) { return x * y; });
  default:
    return true;
  }
}

/// Smallest and largest value of a symbolic operand.
bool extremesOf(const Value &value, DType type, const Shape &shape, Wide &low, Wide &high) {
  Linear linear;
  int64_t from, to;
  if (!toLinear(value, type, shape, linear) || !extremes(linear, shape, from, to))
    return false;
  low = from;
  high = to;
  return true;
}

void Wraps::spoil(const Instr &i, TaintLanes &lanes, int64_t count) {
  if (!(travel.plan(i) & ShadowWraps))
    return;
  if (hasRegion(i.opcode))
    folds(i, lanes);
  else
    arithmetic(i, lanes, count);
}

void Wraps::arithmetic(const Instr &i, TaintLanes &lanes, int64_t count) {
  SlotId slot = s.resultSlot(i);
  DType type = s.type(slot);
  const Shape &shape = s.shape(slot);
  const Value &left = s.operand(i, 0), &right = s.operand(i, 1);
  Range range = rangeOf(type);
  Wide lowA, highA, lowB, highB;
  if (extremesOf(left, type, shape, lowA, highA) && extremesOf(right, type, shape, lowB, highB)) {
    bool fits = true;
    for (Wide a : {lowA, highA})
      for (Wide b : {lowB, highB})
        fits &= range.holds(apply(i.op, a, b));
    if (fits)
      return;
  }
  std::vector<char> keep[2];
  Strip a = wholeOperand(s, i, 0, keep[0]), b = wholeOperand(s, i, 1, keep[1]);
  if (type == DType::I32 && !anyWraps<int32_t, int64_t>(i.op, static_cast<const int32_t *>(a.data), a.splat,
                                                        static_cast<const int32_t *>(b.data), b.splat, count))
    return;
  for (int64_t n = 0; n < count; ++n) {
    int64_t x = laneOf(a, type, n), y = laneOf(b, type, n);
    Wide exact = apply(i.op, x, y);
    if (range.holds(exact))
      continue;
    if (lanes.empty())
      travel.births[travel.indexOf(i)] = {std::to_string(x) + symbolOf(i.op) + std::to_string(y) + " = " +
                                              decimal(exact) + " does not fit " + std::string(name(type)),
                                          Views::none, 0};
    need(lanes, count);
    lanes[static_cast<size_t>(n)] = makeTaint(TaintKind::Wrapped, travel.indexOf(i));
  }
}

void Wraps::folds(const Instr &i, TaintLanes &lanes) {
  const Shape &shape = s.shape(s.operandSlot(i, 0));
  SlotId slot = s.resultSlot(i);
  DType type = s.type(slot);
  unsigned size = byteSize(type);
  Value keep;
  const char *data = denseOperand(s, i, 0, keep);
  auto axis = static_cast<size_t>(i.attribute);
  int64_t length = shape.dims[axis], inner = 1;
  for (size_t d = axis + 1; d < shape.dims.size(); ++d)
    inner *= shape.dims[d];
  int64_t outer = shape.elements / length / inner;
  bool scans = i.opcode == Opcode::Scan, reversed = scans && s.program.extra(i).ints[0];
  __int128 half = __int128(1) << (bitWidth(type) - 1);
  auto check = [&](int64_t at, __int128 sum, int64_t terms) {
    if (sum >= -half && sum < half)
      return;
    if (lanes.empty()) {
      lanes.assign(static_cast<size_t>(s.program.elements(slot)), 0);
      travel.births[travel.indexOf(i)] = {"the sum of " + std::to_string(terms) + " elements does not fit " +
                                              std::string(name(type)),
                                          Views::none, 0};
    }
    lanes[static_cast<size_t>(at)] = makeTaint(TaintKind::Wrapped, travel.indexOf(i));
  };
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t k = 0; k < inner; ++k) {
      __int128 sum = 0;
      for (int64_t n = 0; n < length; ++n) {
        int64_t at = (o * length + (reversed ? length - 1 - n : n)) * inner + k;
        uint64_t bits = 0;
        std::memcpy(&bits, data + at * size, size);
        sum += signedBits(bits, type);
        if (scans)
          check(at, sum, n + 1);
      }
      if (!scans)
        check(o * inner + k, sum, length);
    }
}

} // namespace

std::unique_ptr<Checker> wrapChecker(Travel &travel) { return std::make_unique<Wraps>(travel); }

} // namespace trisect::interp
