//===- IdleBarriers.cpp - barriers that order nothing ---------------------------------------------------===//
//
// What: drops a barrier if on every way to it no memory was touched since another one, or if on every way
// from it none is touched before the program ends. Why: scratch, memory's order and atomics ask for meetings
// each on its own. Limits: whatever may read or write memory of any kind counts as a touch.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Emitter.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace trisect::cuda {

namespace {
using States = DenseMap<BasicBlock *, bool>;

bool touches(const Instruction &instruction) {
  return instruction.mayReadOrWriteMemory() && !instruction.isDebugOrPseudoInst();
}

class Idle {
public:
  Idle(Function &function, Machine &machine) : function(function), barriers(machine.barriers) {}

  void dropRepeated() {
    States ends = solve([&](BasicBlock *block, States &known) {
      bool met = block != &function.getEntryBlock();
      for (BasicBlock *before : predecessors(block))
        met &= known[before];
      return through(*block, met);
    });
    SmallVector<Instruction *> idle;
    for (BasicBlock &block : function) {
      bool met = &block != &function.getEntryBlock();
      for (BasicBlock *before : predecessors(&block))
        met &= ends[before];
      through(block, met, &idle);
    }
    drop(idle);
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

  bool through(BasicBlock &block, bool met, SmallVector<Instruction *> *idle = nullptr) {
    for (Instruction &instruction : block) {
      if (barriers.contains(&instruction)) {
        if (met && idle)
          idle->push_back(&instruction);
        met = true;
      } else if (touches(instruction)) {
        met = false;
      }
    }
    return met;
  }

  bool quietBefore(BasicBlock &block, States &known, SmallVector<Instruction *> *idle = nullptr) {
    bool quiet = true;
    for (BasicBlock *next : successors(&block))
      quiet &= known[next];
    for (Instruction &instruction : reverse(block)) {
      if (barriers.contains(&instruction)) {
        if (quiet && idle)
          idle->push_back(&instruction);
      } else if (touches(instruction)) {
        quiet = false;
      }
    }
    return quiet;
  }

  void drop(ArrayRef<Instruction *> idle) {
    for (Instruction *instruction : idle) {
      barriers.erase(instruction);
      instruction->eraseFromParent();
    }
  }

  Function &function;
  SmallPtrSetImpl<Instruction *> &barriers;
};
} // namespace

void dropIdleBarriers(Function &function, Machine &machine) {
  Idle idle(function, machine);
  idle.dropRepeated();
  idle.dropLast();
}

} // namespace trisect::cuda
