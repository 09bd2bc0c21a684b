//===- Memory.cpp - taints through loads and stores -----------------------------------------------------===//
//
// What decides an access is looked at first (mask, addresses, stored elements), then the access itself.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/shadow/Accesses.h"
#include "interp/shadow/Decide.h"
#include "interp/shadow/Transfer.h"

namespace trisect::interp {

void travelLoad(Travel &travel, const Instr &i) {
  Instance &s = travel.s;
  SlotId slot = s.resultSlot(i);
  const Shape &shape = s.shape(slot);
  const Value *mask = s.has(i, 1) ? &s.operand(i, 1) : nullptr;
  Access access(s.operand(i, 0), mask, shape, s.type(slot));
  const Taints other = s.has(i, 2) ? travel.operand(i, 2) : Taints{};
  checkMask(travel, i, 1, access, liveLanes);
  decidesLanes(travel, i, 0, access, addressTaken, true);
  Touch t{i, access, shape, slot, travel.operand(i, 0).tensor, true, false};
  t.atomic = i.flags & FlagVolatile; // polling another program is what it is for
  t.through = &travel.operand(i, 0);
  touch(travel, t);
  travel.clean(i);
  Taints &result = travel.of(slot);
  Taint undefined = !s.has(i, 2) && travel.has(FaultKind::UndefinedValue)
                        ? makeTaint(TaintKind::Undefined, travel.indexOf(i))
                        : 0;
  if (access.none()) {
    result.all = s.has(i, 2) ? other.all : undefined;
    result.lanes = other.lanes;
    return;
  }
  TaintLanes lanes;
  if (mask && !mask->isTrue() && (undefined || other.tainted())) {
    lanes.resize(static_cast<size_t>(shape.elements));
    for (int64_t n = 0; n < shape.elements; ++n)
      lanes[static_cast<size_t>(n)] = undefined ? undefined : other.at(n);
    setLive(access, lanes, 0);
  }
  read(travel, t, lanes);
  if (!lanes.empty())
    result.setLanes(std::move(lanes));
}

void travelStore(Travel &travel, const Instr &i) {
  Instance &s = travel.s;
  SlotId slot = s.operandSlot(i, 1);
  const Shape &shape = s.shape(slot);
  const Value *mask = s.has(i, 2) ? &s.operand(i, 2) : nullptr;
  Access access(s.operand(i, 0), mask, shape, s.type(slot));
  checkMask(travel, i, 2, access, liveLanes);
  decidesLanes(travel, i, 0, access, addressTaken, true);
  Touch t{i, access, shape, slot, travel.operand(i, 0).tensor, false, true};
  t.value = &s.slot(slot);
  touch(travel, t);
  decidesLanes(travel, i, 1, access, storedByte, false);
}

} // namespace trisect::interp
