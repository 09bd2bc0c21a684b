//===- Control.cpp - taints where the program decides its way -------------------------------------------===//
//
// In a region's body, which has no effect but its results, a branch that a taint decides makes them carry it
// instead of a report, up to where its two ways meet again.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Fetch.h"
#include "interp/shadow/Decide.h"
#include "interp/shadow/Transfer.h"

namespace trisect::interp {

namespace {

/// Where the two ways of a branch meet again.
uint32_t meetingPoint(const Instr *code, const Instr &i) {
  const Instr &last = code[i.target - 1];
  bool jumps = i.opcode == Opcode::Branch && last.opcode == Opcode::Jump && last.target > i.target;
  return jumps ? last.target : i.target;
}

void doubtMoved(Travel &travel, const Instr &i) {
  Instance &s = travel.s;
  for (unsigned n = 0; n < i.numResults; ++n)
    if (Taints &result = travel.of(s.resultSlot(i, n)); !result.tainted())
      result.setAll(travel.doubt);
}

/// Operand `n` decides where the program goes on.
void control(Travel &travel, const Instr &i, unsigned n, const char *what) {
  Instance &s = travel.s;
  if (!travel.inRegion)
    return decides(travel, i, n, what);
  Taint taint = travel.operand(i, n).all;
  if (travel.doubt || !undefinedOnly(taint) || kindOf(taint) == TaintKind::NotFinite ||
      i.opcode == Opcode::ForNext)
    return;
  travel.doubt = taint;
  travel.doubtEnd = meetingPoint(s.code, i);
  // A loop's results are what its passes leave in the carried slots, also if there is none.
  const Instr &last = s.code[i.target - 1];
  bool whileLoop =
      i.opcode == Opcode::Branch && last.opcode == Opcode::Jump && last.target <= travel.indexOf(i);
  if (i.opcode == Opcode::ForTest || whileLoop)
    for (uint32_t at = whileLoop ? last.target : travel.indexOf(i); at < i.target; ++at)
      if (s.code[at].opcode == Opcode::Move)
        doubtMoved(travel, s.code[at]);
}

} // namespace

void travelNothing(Travel &, const Instr &) {}

void travelClean(Travel &travel, const Instr &i) { travel.clean(i); }

void travelUndefined(Travel &travel, const Instr &i) {
  travel.clean(i);
  if (travel.has(FaultKind::UndefinedValue))
    for (unsigned n = 0; n < i.numResults; ++n)
      travel.of(travel.s.resultSlot(i, n)).setAll(makeTaint(TaintKind::Undefined, travel.indexOf(i)));
}

void travelBranch(Travel &travel, const Instr &i) { control(travel, i, 0, "a branch"); }

void travelForTest(Travel &travel, const Instr &i) {
  control(travel, i, 0, "the trip count of a loop");
  control(travel, i, 1, "the trip count of a loop");
}

void travelForNext(Travel &travel, const Instr &i) { control(travel, i, 1, "the trip count of a loop"); }

// What must be defined decides something right behind this.
void travelAssert(Travel &travel, const Instr &i) {
  if (!i.attribute)
    decides(travel, i, 0, "an assertion");
}

void travelMove(Travel &travel, const Instr &i) {
  Instance &s = travel.s;
  if (i.numResults == 1) {
    travel.of(s.resultSlot(i)) = Taints(travel.operand(i, 0));
    if (travel.doubt)
      doubtMoved(travel, i);
    return;
  }
  std::vector<Taints> kept(i.numResults);
  for (unsigned n = 0; n < i.numResults; ++n)
    kept[n] = travel.operand(i, n);
  for (unsigned n = 0; n < i.numResults; ++n)
    travel.of(s.resultSlot(i, n)) = std::move(kept[n]);
  if (travel.doubt)
    doubtMoved(travel, i);
}

void travelAssume(Travel &travel, const Instr &i) {
  Instance &s = travel.s;
  const Value &condition = s.operand(i, 0);
  if (!travel.has(FaultKind::BrokenHint) || condition.isTrue() || travel.operand(i, 0).tainted())
    return;
  SlotId slot = s.operandSlot(i, 0);
  const Shape &shape = s.shape(slot);
  std::vector<uint8_t> truth(static_cast<size_t>(shape.elements));
  copyOut(condition, s.type(slot), shape, 0, shape.elements, truth.data());
  FaultyLanes lanes;
  for (int64_t n = 0; n < shape.elements; ++n)
    if (!(truth[static_cast<size_t>(n)] & 1))
      lanes.add(n);
  if (!lanes.count)
    return;
  Finding found = findingAt(travel, i, FaultKind::BrokenHint);
  found.variable = nameOf(s, slot);
  found.headline = "an assumption does not hold";
  if (!found.variable.empty())
    found.headline += ": '" + found.variable + "' is false";
  addLanes(found, shape, lanes);
  report(travel, std::move(found), i);
}

} // namespace trisect::interp
