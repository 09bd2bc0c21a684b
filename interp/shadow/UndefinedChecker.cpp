//===- UndefinedChecker.cpp - operations that make undefined elements of defined ones -------------------===//
//
// A quotient by zero, a shift by the width, a float that fits no integer. What a gather, a histogram, a load
// or an atomic leaves undefined they say themselves (Transfer.h).
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/support/OpFacts.h"
#include "interp/exec/Format.h"
#include "interp/observe/NumpyText.h"
#include "interp/shadow/Checker.h"
#include "interp/shadow/Elements.h"
#include "interp/shadow/Wide.h"
#include <cmath>

namespace trisect::interp {

namespace {

class Undefined final : public Checker {
public:
  using Checker::Checker;
  void spoil(const Instr &i, TaintLanes &lanes, int64_t count) override;

private:
  void conversion(const Instr &i, TaintLanes &lanes, int64_t count);
  void mark(const Instr &i, TaintLanes &lanes, int64_t count, int64_t lane, std::string text);
};

void Undefined::mark(const Instr &i, TaintLanes &lanes, int64_t count, int64_t lane, std::string text) {
  if (lanes.empty())
    travel.births[travel.indexOf(i)] = {std::move(text), Views::none, 0};
  need(lanes, count);
  lanes[static_cast<size_t>(lane)] = makeTaint(TaintKind::Undefined, travel.indexOf(i));
}

void Undefined::conversion(const Instr &i, TaintLanes &lanes, int64_t count) {
  SlotId slot = s.resultSlot(i);
  DType type = s.type(s.operandSlot(i, 0));
  std::vector<char> keep;
  Strip a = wholeOperand(s, i, 0, keep);
  unsigned size = byteSize(type), bits = bitWidth(s.type(slot));
  bool toSigned = i.op == OpId::arith_fptosi;
  double high = std::ldexp(1.0, static_cast<int>(toSigned ? bits - 1 : bits));
  double low = toSigned ? -high : 0.0;
  for (int64_t n = 0; n < count; ++n) {
    uint64_t raw = 0;
    std::memcpy(&raw, static_cast<const char *>(a.data) + (a.splat ? 0 : n * size), size);
    double value = std::trunc(toDouble(raw, type));
    if (!(value >= low && value < high))
      mark(i, lanes, count, n,
           numpyText(&raw, {}, {type}) + " does not fit " + std::string(name(s.type(slot))));
  }
}

void Undefined::spoil(const Instr &i, TaintLanes &lanes, int64_t count) {
  if (!(travel.plan(i) & ShadowUndefines))
    return;
  if (i.op == OpId::arith_fptosi || i.op == OpId::arith_fptoui)
    return conversion(i, lanes, count);
  bool shifts = i.op == OpId::arith_shli || i.op == OpId::arith_shrsi || i.op == OpId::arith_shrui;
  bool isSigned = !readsUnsigned(i.op);
  DType type = s.type(s.resultSlot(i));
  unsigned bits = bitWidth(type);
  if (const Value &second = s.operand(i, 1); second.isSplat()) {
    int64_t by = signedBits(second.base, type);
    if (shifts ? by >= 0 && by < bits : by != 0 && !(isSigned && by == -1))
      return;
  }
  std::vector<char> keep[2];
  Strip a = wholeOperand(s, i, 0, keep[0]), b = wholeOperand(s, i, 1, keep[1]);
  Wide least = rangeOf(type).low;
  for (int64_t n = 0; n < count; ++n) {
    int64_t by = laneOf(b, type, n);
    if (shifts) {
      if (by < 0 || by >= bits)
        mark(i, lanes, count, n, "a shift of " + std::to_string(bits) + " bits by " + std::to_string(by));
      continue;
    }
    if (by == 0)
      mark(i, lanes, count, n, "a division by zero");
    else if (isSigned && by == -1 && Wide(laneOf(a, type, n)) == least)
      mark(i, lanes, count, n,
           std::to_string(laneOf(a, type, n)) + " divided by -1 does not fit " + std::string(name(type)));
  }
}

} // namespace

std::unique_ptr<Checker> undefinedChecker(Travel &travel) { return std::make_unique<Undefined>(travel); }

} // namespace trisect::interp
