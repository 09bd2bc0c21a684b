//===- ShadowDecide.cpp - where a taint becomes a defect ------------------------------------------------===//
//
// A tainted element matters where it decides something: a stored byte, a branch, an address, a mask, a trip
// count. A wrapped one matters where it reaches a live address, an index or a mask.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/support/OpTable.h"
#include "interp/ops/AccessLanes.h"
#include "interp/shadow/Shadow.h"

namespace trisect::interp {

namespace {

FaultKind faultKindOf(TaintKind kind) {
  switch (kind) {
  case TaintKind::Uninitialized:
    return FaultKind::UninitializedRead;
  case TaintKind::Wrapped:
    return FaultKind::IntegerOverflow;
  case TaintKind::NotFinite:
    return FaultKind::NanOrigin;
  case TaintKind::Promised:
  case TaintKind::Misled:
    return FaultKind::BrokenHint;
  default:
    return FaultKind::UndefinedValue;
  }
}

const char *birthText(const Instr &i) {
  switch (i.opcode) {
  case Opcode::Load:
    return "lanes that the mask switches off have no value, since the load gives no `other`";
  case Opcode::AtomicRmw:
  case Opcode::AtomicLoad:
    return "lanes that the mask switches off have no result";
  case Opcode::Undefined:
    return "the value is undefined on this path";
  default:
    return "";
  }
}

} // namespace

void Shadow::reportTaint(const Instr &i, Taint taint, SlotId slot, const Shape &shape, Lanes lanes,
                         const char *what) {
  TaintKind kind = kindOf(taint);
  FaultKind fault = faultKindOf(kind);
  if (!has(fault))
    return;
  if (fault == FaultKind::BrokenHint)
    return reportHint(i, taint,
                      kind == TaintKind::Promised
                          ? "the address of a live lane depends on it"
                          : std::string("what was read at an address that depends on it decides ") + what);
  const Instr &born = s.code[birthOf(taint)];
  Finding found = finding(i, fault);
  std::string name = nameOf(slot);
  found.variable = name;
  if (name.empty())
    name = "a value";
  else
    name = "'" + name + "'";
  FindingSite birth = siteOf(born);
  birth.role = "born";
  auto known = births.find(birthOf(taint));
  if (known != births.end())
    birth.text = known->second.text;
  if (birth.text.empty())
    birth.text = birthText(born);
  switch (kind) {
  case TaintKind::Wrapped:
    found.headline = name + ", an integer that wrapped around, decides " + what;
    found.value = birth.text;
    if (!birth.text.empty())
      found.headline += ": " + birth.text;
    break;
  case TaintKind::Uninitialized:
    found.headline = name + ", read from memory that nobody wrote, decides " + what;
    if (known != births.end())
      addTensor(found, known->second.tensor, known->second.address);
    break;
  case TaintKind::NotFinite:
    found.headline = name + ", which is NaN or infinite, decides " + what + ": " +
                     std::string(info(born.op).mnemonic) + " made it, and " + birth.text;
    break;
  default:
    found.headline = name + ", which is undefined, decides " + what;
    found.value = birth.text;
  }
  addLanes(found, shape, lanes);
  found.related.push_back(std::move(birth));
  report(std::move(found), i);
}

void Shadow::decides(const Instr &i, unsigned n, const char *what, bool wrapped) {
  const Shade &known = shadeOf(i, n);
  if (!known.tainted())
    return;
  SlotId slot = s.operandSlot(i, n);
  const Shape &shape = s.shape(slot);
  Lanes lanes;
  Taint first = 0;
  for (int64_t lane = 0; lane < shape.elements; ++lane)
    if (Taint taint = known.at(lane); taint && kindOf(taint) != TaintKind::NotFinite &&
                                      kindOf(taint) != TaintKind::Promised &&
                                      (kindOf(taint) == TaintKind::Wrapped) == wrapped) {
      if (!first)
        first = taint;
      lanes.add(lane);
    }
  if (first)
    reportTaint(i, first, slot, shape, lanes, what);
}

void Shadow::decidesLanes(const Instr &i, unsigned n, const Access &active, const char *what, bool wrapped) {
  const Shade &known = shadeOf(i, n);
  if (!known.tainted())
    return;
  SlotId slot = s.operandSlot(i, n);
  Lanes lanes;
  Taint first = 0;
  auto counts = [&](Taint taint, int64_t lane) {
    switch (kindOf(taint)) {
    case TaintKind::Clean:
      return false;
    case TaintKind::Wrapped:
      return wrapped;
    case TaintKind::Promised:
      return wrapped && i.opcode != Opcode::Load; // of a load what it reads is followed
    case TaintKind::NotFinite:
      return !isFiniteAt(slot, lane);
    default:
      return true;
    }
  };
  active.forActive([&](uint64_t, int64_t, int64_t from, int64_t count) {
    for (int64_t lane = from; lane < from + count; ++lane)
      if (Taint taint = known.at(lane); counts(taint, lane)) {
        if (!first)
          first = taint;
        lanes.add(lane);
      }
  });
  if (first)
    reportTaint(i, first, slot, s.shape(slot), lanes, what);
}

void Shadow::checkMask(const Instr &i, unsigned n, const Access &active, const char *what) {
  if (!s.has(i, n) || !shadeOf(i, n).tainted())
    return;
  decides(i, n, what);
  // A wrapped bound is wrong for every lane; a wrapped index only where the lane is live.
  if (kindOf(shadeOf(i, n).all) == TaintKind::Wrapped)
    decides(i, n, what, true);
  else
    decidesLanes(i, n, active, what, true);
}

} // namespace trisect::interp
