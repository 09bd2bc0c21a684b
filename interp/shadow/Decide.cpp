//===- Decide.cpp - where a taint becomes a defect ------------------------------------------------------===//
#include "interp/shadow/Decide.h"
#include "core/support/OpTable.h"
#include "interp/exec/Fetch.h"
#include "interp/exec/Format.h"
#include "interp/observe/Summary.h"
#include <cmath>

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

/// Whether an element of a float is a number; other elements always are.
bool isFiniteAt(const Instance &s, SlotId slot, int64_t lane) {
  DType type = s.type(slot);
  if (!isFloat(type))
    return true;
  uint64_t bits = 0;
  copyOut(s.values[slot], type, s.shape(slot), lane, 1, &bits);
  return std::isfinite(toDouble(bits, type));
}

} // namespace

void reportTaint(Travel &travel, const Instr &i, Taint taint, SlotId slot, const Shape &shape,
                 FaultyLanes lanes, const char *what) {
  Instance &s = travel.s;
  TaintKind kind = kindOf(taint);
  FaultKind fault = faultKindOf(kind);
  if (!travel.has(fault))
    return;
  if (fault == FaultKind::BrokenHint)
    return reportHint(travel, i, taint,
                      kind == TaintKind::Promised
                          ? "the address of a live lane depends on it"
                          : std::string("what was read at an address that depends on it decides ") + what);
  const Instr &born = s.code[birthOf(taint)];
  Finding found = findingAt(travel, i, fault);
  std::string name = nameOf(s, slot);
  found.variable = name;
  if (name.empty())
    name = "a value";
  else
    name = "'" + name + "'";
  FindingSite birth = siteOf(travel, born);
  birth.role = "born";
  auto known = travel.births.find(birthOf(taint));
  if (known != travel.births.end())
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
    if (known != travel.births.end())
      addTensor(travel, found, known->second.tensor, known->second.address);
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
  report(travel, std::move(found), i);
}

void reportHint(Travel &travel, const Instr &i, Taint taint, std::string used) {
  Instance &s = travel.s;
  const Instr &born = s.code[birthOf(taint)];
  SlotId slot = s.resultSlot(born);
  const Birth &birth = travel.births[birthOf(taint)];
  Finding found = findingAt(travel, born, FaultKind::BrokenHint);
  if (!found.variables.empty())
    found.variables = namedValues(s, i);
  found.variable = nameOf(s, slot);
  found.value = birth.value;
  found.headline = birth.text;
  addLanes(found, s.shape(slot), {birth.lane, 1});
  FindingSite promise = siteOf(travel, born);
  promise.position = s.program.locations[s.program.hints.at(slot).location].position;
  promise.role = "promised";
  if (promise.position.line != found.site.position.line || promise.position.file != found.site.position.file)
    found.related.push_back(std::move(promise));
  FindingSite use = siteOf(travel, i);
  use.role = "used by";
  use.text = std::move(used);
  found.related.push_back(std::move(use));
  report(travel, std::move(found), born);
}

void decides(Travel &travel, const Instr &i, unsigned n, const char *what, bool wrapped) {
  Instance &s = travel.s;
  const Taints &known = travel.operand(i, n);
  if (!known.tainted())
    return;
  SlotId slot = s.operandSlot(i, n);
  const Shape &shape = s.shape(slot);
  FaultyLanes lanes;
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
    reportTaint(travel, i, first, slot, shape, lanes, what);
}

void decidesLanes(Travel &travel, const Instr &i, unsigned n, const Access &active, const char *what,
                  bool wrapped) {
  Instance &s = travel.s;
  const Taints &known = travel.operand(i, n);
  if (!known.tainted())
    return;
  SlotId slot = s.operandSlot(i, n);
  FaultyLanes lanes;
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
      return !isFiniteAt(s, slot, lane);
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
    reportTaint(travel, i, first, slot, s.shape(slot), lanes, what);
}

void checkMask(Travel &travel, const Instr &i, unsigned n, const Access &active, const char *what) {
  Instance &s = travel.s;
  if (!s.has(i, n) || !travel.operand(i, n).tainted())
    return;
  decides(travel, i, n, what);
  // A wrapped bound is wrong for every lane; a wrapped index only where the lane is live.
  if (kindOf(travel.operand(i, n).all) == TaintKind::Wrapped)
    decides(travel, i, n, what, true);
  else
    decidesLanes(travel, i, n, active, what, true);
}

} // namespace trisect::interp
