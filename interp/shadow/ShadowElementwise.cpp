//===- ShadowElementwise.cpp - taints through elementwise operations ------------------------------------===//
//
// Clean operands give a clean result, unless the operation itself makes something of them: a quotient by
// zero, a shift by the width, a float that fits no integer, a sum that wraps around. Those are looked for on
// structure first, then on elements. A lane that a zero or false decides stays clean.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Fetch.h"
#include "interp/exec/Format.h"
#include "interp/exec/Linear.h"
#include "interp/observe/NumpyText.h"
#include "interp/shadow/Shadow.h"
#include "interp/shadow/ShadowOps.h"
#include <algorithm>
#include <cmath>

namespace trisect::interp {

namespace {

using Wide = __int128;

struct Range {
  Wide low, high;
  bool holds(Wide value) const { return value >= low && value <= high; }
};

Range rangeOf(DType type) {
  Wide half = Wide(1) << (bitWidth(type) - 1);
  return {-half, half - 1};
}

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

int64_t laneOf(Strip strip, DType type, int64_t lane) {
  uint64_t bits = 0;
  unsigned size = byteSize(type);
  std::memcpy(&bits, static_cast<const char *>(strip.data) + (strip.splat ? 0 : lane * size), size);
  return signedBits(bits, type);
}

/// A whole operand as elements; its memory lies in `keep`.
Strip wholeOperand(Instance &s, const Instr &i, unsigned n, std::vector<char> &keep) {
  SlotId slot = s.operandSlot(i, n);
  const Value &value = s.slot(slot);
  if (value.form == Form::Dense || value.form == Form::Splat)
    return fetch(value, s.type(slot), s.shape(slot), 0, 0, nullptr);
  int64_t elements = s.elements(i, slot);
  keep.resize(static_cast<size_t>(elements) * byteSize(s.type(slot)) + 64);
  copyOut(value, s.type(slot), s.shape(slot), 0, elements, keep.data());
  return {keep.data(), false};
}

/// The taint of an element that depends on two; of two births of a NaN the one that stands first in the
/// source counts (instructions may have changed places, locations are numbered in the order of the kernel's
/// text). What a broken hint may change weighs least: the element is right unless a compiler used the hint.
Taint joined(const Instr *code, Taint a, Taint b) {
  if (!a || !b)
    return a | b;
  if (kindOf(a) == TaintKind::NotFinite && kindOf(b) == TaintKind::NotFinite)
    return code[birthOf(b)].location < code[birthOf(a)].location ? b : a;
  return kindOf(a) == TaintKind::Promised || kindOf(a) == TaintKind::Misled ? b : a;
}

void need(TaintLanes &lanes, int64_t count) {
  if (lanes.empty())
    lanes.assign(static_cast<size_t>(count), 0);
}

} // namespace

void Shadow::elementwise(const Instr &i) {
  SlotId slot = s.resultSlot(i);
  Shade &result = shade(slot);
  uint8_t flags = run.plan.flags[indexOf(i)];
  bool tainted = false;
  for (unsigned n = 0; n < i.numOperands; ++n)
    tainted |= shadeOf(i, n).tainted();
  int32_t tensor = Shade::unknown;
  if (flags & ShadowPointer) {
    if (i.op == OpId::arith_select) {
      int32_t yes = shadeOf(i, 1).tensor, no = shadeOf(i, 2).tensor;
      const Value &condition = s.operand(i, 0);
      tensor = yes == no ? yes : condition.isTrue() ? yes : condition.isFalse() ? no : Shade::unknown;
    } else {
      tensor = shadeOf(i, 0).tensor;
    }
  }
  if (!tainted && !(flags & (ShadowWraps | ShadowUndefines))) {
    result.clean();
    result.tensor = tensor;
    return;
  }
  int64_t count = s.elements(i, slot);
  TaintLanes made;
  if (flags & ShadowWraps)
    findWraps(i, made, count);
  if (flags & ShadowUndefines)
    findUndefined(i, made, count);
  Shade next;
  if (tainted)
    unite(i, next);
  if (!made.empty()) {
    // An element that wraps a second time is a hash or has come back: neither is a defect.
    for (int64_t n = 0; n < count; ++n) {
      Taint before = next.at(n);
      Taint &taint = made[static_cast<size_t>(n)];
      if (before)
        taint =
            taint && kindOf(before) == TaintKind::Wrapped && kindOf(taint) == TaintKind::Wrapped ? 0 : before;
    }
    next.setLanes(std::move(made));
  }
  next.tensor = tensor;
  result = std::move(next);
}

void Shadow::unite(const Instr &i, Shade &result) {
  SlotId slot = s.resultSlot(i);
  bool carries = hasTrait(i.op, CarriesWrap), promises = hasTrait(i.op, CarriesPromise);
  bool logic = s.type(slot) == DType::I1 &&
               (i.op == OpId::arith_andi || i.op == OpId::arith_ori || i.op == OpId::arith_xori);
  auto passes = [&](Taint taint) -> Taint {
    if (kindOf(taint) == TaintKind::Promised)
      return promises ? taint : 0;
    return kindOf(taint) == TaintKind::Wrapped && !carries && !logic ? 0 : taint;
  };
  bool select = i.op == OpId::arith_select;
  bool absorbs = i.op == OpId::arith_andi || i.op == OpId::arith_muli || (logic && i.op == OpId::arith_ori);
  if (!select && !absorbs) {
    // Uniform operands need no list.
    Taint all = 0;
    bool uniform = true;
    for (unsigned n = 0; n < i.numOperands; ++n) {
      const Shade &operand = shadeOf(i, n);
      uniform &= !operand.lanes;
      all = joined(s.code, all, passes(operand.all));
    }
    if (uniform) {
      result.setAll(all);
      return;
    }
  }
  int64_t count = s.elements(i, slot);
  TaintLanes lanes(static_cast<size_t>(count), 0);
  std::vector<char> keep[3];
  if (select) {
    Strip condition = wholeOperand(s, i, 0, keep[0]);
    auto *chosen = static_cast<const uint8_t *>(condition.data);
    const Shade &decides = shadeOf(i, 0), &yes = shadeOf(i, 1), &no = shadeOf(i, 2);
    Strip values[2] = {};
    unsigned size = byteSize(s.type(slot));
    if (decides.tainted()) {
      values[0] = wholeOperand(s, i, 1, keep[1]);
      values[1] = wholeOperand(s, i, 2, keep[2]);
    }
    for (int64_t n = 0; n < count; ++n) {
      bool first = chosen[condition.splat ? 0 : n] & 1;
      Taint taint = (first ? yes : no).at(n);
      if (Taint doubt = decides.at(n); doubt && !mattersAsAddress(doubt)) {
        auto *a = static_cast<const char *>(values[0].data) + (values[0].splat ? 0 : n * size);
        auto *b = static_cast<const char *>(values[1].data) + (values[1].splat ? 0 : n * size);
        if (std::memcmp(a, b, size) != 0 || yes.at(n) || no.at(n))
          taint = doubt;
      }
      lanes[static_cast<size_t>(n)] = taint;
    }
    result.setLanes(std::move(lanes));
    return;
  }
  Strip values[2] = {};
  if (absorbs)
    for (unsigned n = 0; n < 2; ++n)
      values[n] = wholeOperand(s, i, n, keep[n]);
  unsigned size = byteSize(s.type(slot));
  uint64_t decisive = logic && i.op == OpId::arith_ori ? 1 : 0;
  auto decided = [&](unsigned n, int64_t lane) {
    if (!absorbs)
      return false;
    uint64_t bits = 0;
    std::memcpy(&bits, static_cast<const char *>(values[n].data) + (values[n].splat ? 0 : lane * size), size);
    return (logic ? bits & 1 : bits) == decisive && !shadeOf(i, n).at(lane);
  };
  for (unsigned n = 0; n < i.numOperands; ++n) {
    const Shade &operand = shadeOf(i, n);
    if (!operand.tainted())
      continue;
    for (int64_t lane = 0; lane < count; ++lane) {
      Taint taint = passes(operand.at(lane));
      Taint &known = lanes[static_cast<size_t>(lane)];
      if (taint && !decided(1 - (n & 1), lane))
        known = joined(s.code, known, taint);
    }
  }
  result.setLanes(std::move(lanes));
}

void Shadow::findWraps(const Instr &i, TaintLanes &lanes, int64_t count) {
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
      births[indexOf(i)] = {std::to_string(x) + symbolOf(i.op) + std::to_string(y) + " = " + decimal(exact) +
                                " does not fit " + std::string(name(type)),
                            Views::none, 0};
    need(lanes, count);
    lanes[static_cast<size_t>(n)] = makeTaint(TaintKind::Wrapped, indexOf(i));
  }
}

void Shadow::findUndefined(const Instr &i, TaintLanes &lanes, int64_t count) {
  SlotId slot = s.resultSlot(i);
  bool converts = i.op == OpId::arith_fptosi || i.op == OpId::arith_fptoui;
  bool shifts = i.op == OpId::arith_shli || i.op == OpId::arith_shrsi || i.op == OpId::arith_shrui;
  DType type = converts ? s.type(s.operandSlot(i, 0)) : s.type(slot);
  unsigned bits = bitWidth(s.type(slot));
  bool isSigned = i.op != OpId::arith_divui && i.op != OpId::arith_remui;
  std::vector<char> keep[2];
  const Value &second = s.operand(i, converts ? 0u : 1u);
  if (!converts && second.isSplat()) {
    int64_t by = signedBits(second.base, type);
    if (shifts ? by >= 0 && by < bits : by != 0 && !(isSigned && by == -1))
      return;
  }
  Strip a = wholeOperand(s, i, 0, keep[0]), b = converts ? a : wholeOperand(s, i, 1, keep[1]);
  auto mark = [&](int64_t lane, std::string text) {
    if (lanes.empty())
      births[indexOf(i)] = {std::move(text), Views::none, 0};
    need(lanes, count);
    lanes[static_cast<size_t>(lane)] = makeTaint(TaintKind::Undefined, indexOf(i));
  };
  if (converts) {
    unsigned size = byteSize(type);
    bool toSigned = i.op == OpId::arith_fptosi;
    double high = std::ldexp(1.0, static_cast<int>(toSigned ? bits - 1 : bits));
    double low = toSigned ? -high : 0.0;
    for (int64_t n = 0; n < count; ++n) {
      uint64_t raw = 0;
      std::memcpy(&raw, static_cast<const char *>(a.data) + (a.splat ? 0 : n * size), size);
      double value = std::trunc(toDouble(raw, type));
      if (!(value >= low && value < high))
        mark(n, numpyText(&raw, {}, {type}) + " does not fit " + std::string(name(s.type(slot))));
    }
    return;
  }
  Wide least = rangeOf(type).low;
  for (int64_t n = 0; n < count; ++n) {
    int64_t by = laneOf(b, type, n);
    if (shifts) {
      if (by < 0 || by >= bits)
        mark(n, "a shift of " + std::to_string(bits) + " bits by " + std::to_string(by));
      continue;
    }
    if (by == 0)
      mark(n, "a division by zero");
    else if (isSigned && by == -1 && Wide(laneOf(a, type, n)) == least)
      mark(n, std::to_string(laneOf(a, type, n)) + " divided by -1 does not fit " + std::string(name(type)));
  }
}

} // namespace trisect::interp
