//===- Elementwise.cpp - taints through elementwise operations ------------------------------------------===//
//
// Clean operands give a clean result, unless a checker finds that the operation itself makes something of
// them. A lane that a zero or false decides stays clean.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/support/OpFacts.h"
#include "interp/shadow/Checker.h"
#include "interp/shadow/Elements.h"
#include "interp/shadow/Transfer.h"

namespace trisect::interp {

namespace {

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

/// Each lane has the taint of the operand that it takes, or that of the condition where both differ.
void choose(Travel &travel, const Instr &i, Taints &result) {
  Instance &s = travel.s;
  SlotId slot = s.resultSlot(i);
  int64_t count = s.elements(i, slot);
  TaintLanes lanes(static_cast<size_t>(count), 0);
  std::vector<char> keep[3];
  Strip condition = wholeOperand(s, i, 0, keep[0]);
  auto *chosen = static_cast<const uint8_t *>(condition.data);
  const Taints &deciding = travel.operand(i, 0), &yes = travel.operand(i, 1), &no = travel.operand(i, 2);
  Strip values[2] = {};
  unsigned size = byteSize(s.type(slot));
  if (deciding.tainted()) {
    values[0] = wholeOperand(s, i, 1, keep[1]);
    values[1] = wholeOperand(s, i, 2, keep[2]);
  }
  for (int64_t n = 0; n < count; ++n) {
    bool first = chosen[condition.splat ? 0 : n] & 1;
    Taint taint = (first ? yes : no).at(n);
    if (Taint why = deciding.at(n); why && !mattersAsAddress(why)) {
      auto *a = static_cast<const char *>(values[0].data) + (values[0].splat ? 0 : n * size);
      auto *b = static_cast<const char *>(values[1].data) + (values[1].splat ? 0 : n * size);
      if (std::memcmp(a, b, size) != 0 || yes.at(n) || no.at(n))
        taint = why;
    }
    lanes[static_cast<size_t>(n)] = taint;
  }
  result.setLanes(std::move(lanes));
}

void unite(Travel &travel, const Instr &i, Taints &result) {
  Instance &s = travel.s;
  SlotId slot = s.resultSlot(i);
  bool carries = carriesWrap(i.op), promises = carriesPromise(i.op);
  bool logic = s.type(slot) == DType::I1 &&
               (i.op == OpId::arith_andi || i.op == OpId::arith_ori || i.op == OpId::arith_xori);
  auto passes = [&](Taint taint) -> Taint {
    if (kindOf(taint) == TaintKind::Promised)
      return promises ? taint : 0;
    return kindOf(taint) == TaintKind::Wrapped && !carries && !logic ? 0 : taint;
  };
  bool absorbs = i.op == OpId::arith_andi || i.op == OpId::arith_muli || (logic && i.op == OpId::arith_ori);
  if (!absorbs) {
    // Uniform operands need no list.
    Taint all = 0;
    bool uniform = true;
    for (unsigned n = 0; n < i.numOperands; ++n) {
      const Taints &operand = travel.operand(i, n);
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
  std::vector<char> keep[2];
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
    return (logic ? bits & 1 : bits) == decisive && !travel.operand(i, n).at(lane);
  };
  for (unsigned n = 0; n < i.numOperands; ++n) {
    const Taints &operand = travel.operand(i, n);
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

/// The tensor that an address of the result derives from.
int32_t tensorOf(Travel &travel, const Instr &i) {
  if (!(travel.plan(i) & ShadowPointer))
    return Taints::unknown;
  if (i.op != OpId::arith_select)
    return travel.operand(i, 0).tensor;
  int32_t yes = travel.operand(i, 1).tensor, no = travel.operand(i, 2).tensor;
  const Value &condition = travel.s.operand(i, 0);
  return yes == no ? yes : condition.isTrue() ? yes : condition.isFalse() ? no : Taints::unknown;
}

} // namespace

void travelElementwise(Travel &travel, const Instr &i) {
  Instance &s = travel.s;
  SlotId slot = s.resultSlot(i);
  Taints &result = travel.of(slot);
  uint8_t flags = travel.plan(i);
  bool tainted = false;
  for (unsigned n = 0; n < i.numOperands; ++n)
    tainted |= travel.operand(i, n).tainted();
  int32_t tensor = tensorOf(travel, i);
  if (!tainted && !(flags & (ShadowWraps | ShadowUndefines))) {
    result.clean();
    result.tensor = tensor;
    return;
  }
  int64_t count = s.elements(i, slot);
  TaintLanes made;
  if (flags & (ShadowWraps | ShadowUndefines))
    for (Checker *each : travel.checkers)
      each->spoil(i, made, count);
  Taints next;
  if (tainted)
    (i.op == OpId::arith_select ? choose : unite)(travel, i, next);
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

} // namespace trisect::interp
