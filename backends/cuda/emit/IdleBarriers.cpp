//===- IdleBarriers.cpp - barriers that order nothing ---------------------------------------------------===//
//
// What: drops a barrier if on every way to it no memory was touched since another one or the start, or if on
// every way from it none is touched before the program ends; and a conditional one, which is there for global
// memory's sake, if none of that was touched since another barrier. Why: scratch, memory's order and atomics
// ask for meetings each on its own. Limits: whatever may read or write memory that others see counts as a
// touch.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Emitter.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace trisect::cuda {

namespace {
using States = DenseMap<BasicBlock *, bool>;

class Idle {
public:
  Idle(Function &function, Machine &machine)
      : function(function), machine(machine), barriers(machine.barriers) {}

  void dropRepeated() {
    dropMet([&](Instruction &each) { return barriers.contains(&each); }, Machine::Touch::SharedMemory);
    dropMet([&](Instruction &each) { return machine.conditionalBarriers.contains(&each); },
            Machine::Touch::AnyMemory);
  }

  void dropLast() {
    States starts = solve([&](BasicBlock *block, States &known) { return quietBefore(*block, known); });
    SmallVector<Instruction *> idle;
    for (BasicBlock &block : function)
      quietBefore(block, starts, &idle);
    drop(idle);
  }

private:
  /// The largest solution: what holds on every way, loops included.
  States solve(function_ref<bool(BasicBlock *, States &)> one) {
    States states;
    for (BasicBlock &block : function)
      states[&block] = true;
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock &block : function) {
        bool now = one(&block, states);
        changed |= now != states[&block];
        states[&block] = now;
      }
    }
    return states;
  }

  /// Drops what `idle` names where all have met since memory was touched, `least` or more.
  void dropMet(function_ref<bool(Instruction &)> idle, Machine::Touch least) {
    auto start = [&](BasicBlock *block, States &ends) {
      bool met = true;
      for (BasicBlock *before : predecessors(block))
        met &= ends[before];
      return met;
    };
    auto through = [&](BasicBlock *block, bool met, SmallVector<Instruction *> *found) {
      for (Instruction &instruction : *block) {
        if (met && found && idle(instruction))
          found->push_back(&instruction);
        if (barriers.contains(&instruction))
          met = true;
        else if (!machine.conditionalBarriers.contains(&instruction) && machine.touchOf(instruction) >= least)
          met = false;
      }
      return met;
    };
    States ends =
        solve([&](BasicBlock *block, States &known) { return through(block, start(block, known), nullptr); });
    SmallVector<Instruction *> found;
    for (BasicBlock &block : function)
      through(&block, start(&block, ends), &found);
    drop(found);
  }

  bool quietBefore(BasicBlock &block, States &known, SmallVector<Instruction *> *idle = nullptr) {
    bool quiet = true;
    for (BasicBlock *next : successors(&block))
      quiet &= known[next];
    for (Instruction &instruction : reverse(block)) {
      if (barriers.contains(&instruction)) {
        if (quiet && idle)
          idle->push_back(&instruction);
      } else if (machine.touchOf(instruction) != Machine::Touch::Nothing) {
        quiet = false;
      }
    }
    return quiet;
  }

  void drop(ArrayRef<Instruction *> idle) {
    for (Instruction *instruction : idle) {
      barriers.erase(instruction);
      machine.conditionalBarriers.erase(instruction);
      instruction->eraseFromParent();
    }
  }

  Function &function;
  Machine &machine;
  SmallPtrSetImpl<Instruction *> &barriers;
};
} // namespace

void dropIdleBarriers(Function &function, Machine &machine) {
  Idle idle(function, machine);
  idle.dropRepeated();
  idle.dropLast();
}

} // namespace trisect::cuda
