//===- Travel.h - what rides along with a program in shadow mode ----------------------------------------===//
//
// What: the taints of all slots of a program instance, where they were born, and what a region in progress
// doubts. Why: the functions that let taints travel (Transfer.h) and the checkers (Checker.h) share this and
// nothing else. Limits: of one instance, which is on one thread at a time.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_SHADOW_TRAVEL_H
#define TRISECT_INTERP_SHADOW_TRAVEL_H

#include "interp/exec/Instance.h"
#include "interp/shadow/DroppingMemory.h"
#include "interp/shadow/ShadowRun.h"
#include "interp/shadow/Taints.h"
#include <string>
#include <unordered_map>
#include <vector>

namespace trisect::interp {

class Checker;

/// Where and from what a taint was born in this program.
struct Birth {
  std::string text;
  int32_t tensor = Views::none;
  uint64_t address = 0;
  std::string value = {}; ///< of a broken hint: what the element is
  int64_t lane = 0;       ///< of a broken hint
};

struct Travel {
  Travel(ShadowRun &run, Instance &instance);

  Taints &of(SlotId slot) { return slots[slot]; }
  Taints &operand(const Instr &i, unsigned n) { return slots[s.operandSlot(i, n)]; }
  uint32_t indexOf(const Instr &i) const { return static_cast<uint32_t>(&i - s.code); }
  uint8_t plan(const Instr &i) const { return run.plan.flags[indexOf(i)]; }
  bool has(FaultKind kind) const { return run.options.has(kind); }
  /// Its results carry nothing and are addresses of no tensor.
  void clean(const Instr &i);
  /// What memory holds now, and whether there is any.
  void peek(uint64_t address, void *into, int64_t bytes) const;
  bool mapped(uint64_t address, int64_t bytes) const;
  /// The access that comes leaves out what is not the tensor's.
  void drop(int32_t tensor, unsigned elementBytes) {
    dropping.aim(tensor, elementBytes);
    s.policy = &dropping;
  }

  ShadowRun &run;
  Instance &s;
  std::vector<Taints> slots;
  std::unordered_map<uint32_t, Birth> births; ///< by instruction, of this program
  std::vector<Checker *> checkers;            ///< of the defects that are looked for, in their order
  DroppingMemory dropping;
  MemoryPolicy *usual = nullptr; ///< of the instance, while no access is at fault
  bool inRegion = false;
  Taint doubt = 0;       ///< in a region: what decided a branch, until the branches meet again
  uint32_t doubtEnd = 0; ///< where they do
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_SHADOW_TRAVEL_H
