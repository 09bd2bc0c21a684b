//===- Atomics.cpp - taints through atomic operations ---------------------------------------------------===//
#include "core/support/Enums.h"
#include "interp/shadow/Accesses.h"
#include "interp/shadow/Decide.h"
#include "interp/shadow/Transfer.h"

namespace trisect::interp {

void travelAtomic(Travel &travel, const Instr &i) {
  Instance &s = travel.s;
  bool reads = i.opcode != Opcode::AtomicStore;
  bool writes = i.opcode != Opcode::AtomicLoad && i.opcode != Opcode::AtomicPoll;
  SlotId slot = i.opcode == Opcode::AtomicLoad ? s.resultSlot(i) : s.operandSlot(i, 1);
  const Shape &shape = s.shape(s.operandSlot(i, 0));
  unsigned maskAt = i.opcode == Opcode::AtomicLoad ? 1 : 2;
  bool maskable =
      i.opcode == Opcode::AtomicRmw || i.opcode == Opcode::AtomicLoad || i.opcode == Opcode::AtomicStore;
  const Value *mask = maskable && s.has(i, maskAt) ? &s.operand(i, maskAt) : nullptr;
  Access access(s.operand(i, 0), mask, shape, s.type(slot));
  if (mask)
    checkMask(travel, i, maskAt, access, liveLanes);
  decidesLanes(travel, i, 0, access, addressTaken, true);
  if (i.opcode != Opcode::AtomicLoad)
    decidesLanes(travel, i, 1, access, storedByte, false);
  if (i.opcode == Opcode::AtomicCas)
    decidesLanes(travel, i, 2, access, storedByte, false);
  Touch t{i, access, shape, slot, travel.operand(i, 0).tensor, reads, writes};
  // Programs do not share a scope of one.
  t.atomic = static_cast<attr::MemScope>(s.program.extra(i).ints[1]) != attr::MemScope::Cta;
  TaintLanes lanes;
  if (reads && !access.none())
    read(travel, t, lanes);
  Taint unwritten = 0;
  FaultyLanes bad;
  for (size_t n = 0; n < lanes.size(); ++n)
    if (lanes[n]) {
      unwritten = lanes[n];
      bad.add(static_cast<int64_t>(n));
    }
  if (unwritten && writes)
    reportTaint(travel, i, unwritten, s.operandSlot(i, 0), shape, bad, storedByte);
  touch(travel, t);
  travel.clean(i);
  if (!i.numResults)
    return;
  if (unwritten && !writes)
    travel.of(s.resultSlot(i)).setLanes(std::move(lanes));
  if (!mask || mask->isTrue() || !travel.has(FaultKind::UndefinedValue))
    return;
  TaintLanes results(static_cast<size_t>(shape.elements), makeTaint(TaintKind::Undefined, travel.indexOf(i)));
  setLive(access, results, 0);
  travel.of(s.resultSlot(i)).setLanes(std::move(results));
}

} // namespace trisect::interp
