//===- Shadow.cpp - what happens around each instruction ------------------------------------------------===//
#include "interp/shadow/Shadow.h"
#include "interp/shadow/LaneTaints.h"
#include "interp/shadow/Transfer.h"

namespace trisect::interp {

const Transfer transfers[] = {
#define TRISECT_OPCODE(name, handler, transfer, traits) travel##transfer,
#include "interp/program/Opcodes.def"
};

Shadow::Shadow(ShadowRun &run, Instance &instance) : travel(run, instance), checkers(checkersOf(travel)) {
  for (const auto &each : checkers)
    travel.checkers.push_back(each.get());
}

void Shadow::restart() {
  std::erase_if(travel.births, [&](const auto &each) { return each.first >= travel.s.program.uniformEnd; });
  travel.s.policy = travel.usual;
  for (const auto &each : checkers)
    each->restart();
}

void Shadow::before(const Instr &i) {
  if (travel.plan(i) & ShadowFinite)
    for (const auto &each : checkers)
      each->before(i);
  if (travel.doubt && travel.indexOf(i) >= travel.doubtEnd)
    travel.doubt = 0;
  transfers[static_cast<int>(i.opcode)](travel, i);
}

void Shadow::after(const Instr &i) {
  travel.s.policy = travel.usual;
  uint8_t flags = travel.plan(i);
  if (flags & (ShadowHinted | ShadowFinite))
    for (const auto &each : checkers)
      each->after(i);
  // An address out of memory or arithmetic: the tensor that lies there.
  if ((flags & ShadowFoundPointer) && i.opcode != Opcode::Move && i.opcode != Opcode::Splat) {
    Taints &result = travel.of(travel.s.resultSlot(i));
    const Value &value = travel.s.result(i);
    if (result.tensor == Taints::unknown && value.isSplat() && value.base)
      result.tensor = travel.run.views.around(value.base);
  }
}

bool Shadow::follows(const Instr &i) {
  if (travel.s.program.extra(i).region.single && i.opcode != Opcode::Map && i.numOperands == 1)
    return false; // travelFold() knows it
  if (travel.run.plan.flags[travel.indexOf(i)] & ShadowBody)
    return true;
  for (unsigned n = 0; n < i.numOperands; ++n)
    if (travel.operand(i, n).tainted())
      return true;
  return false;
}

std::unique_ptr<LaneRider> Shadow::lanesOf(const Instr &i) {
  return follows(i) ? std::make_unique<LaneTaints>(travel, i) : nullptr;
}

} // namespace trisect::interp
