//===- Control.cpp - jumps, loops and moves -------------------------------------------------------------===//
#include "interp/exec/Control.h"
#include "core/support/LoopStep.h"
#include "interp/exec/Fault.h"
#include <algorithm>

namespace trisect::interp {

namespace {

/// A jump backwards: the place where endless programs are interrupted and waiting ones give way.
void jumpBack(Instance &s, const Instr &i) {
  if (s.interrupt && s.interrupt->load(std::memory_order_relaxed)) [[unlikely]]
    stopIfAsked(s);
  if ((i.flags & FlagSpin) && ++s.spins >= s.spinLimit)
    s.stop = Stop::Wait;
}

constexpr uint32_t patience = 4096; ///< passes before a loop without a count is watched

/// A loop that goes on for long. One that repeats itself and reads no memory, which another program might
/// change, never ends.
void watchLoop(Instance &s, const Instr &i) {
  if (!s.repetition)
    s.repetition = std::make_unique<Repetition>();
  if (s.repetition->pass(s, static_cast<uint32_t>(&i - s.code)) &&
      std::none_of(s.code + i.target, &i, [](const Instr &each) { return readsMemory(each.opcode); }))
    raise(s, i, FaultKind::Deadlock, "the loop comes back to the same values and never ends");
}

/// True if the slots hold the same; blocks count as different.
bool same(const Value &a, const Value &b) {
  return a.form == Form::Splat && b.form == Form::Splat && a.base == b.base;
}

} // namespace

void nop(Instance &, const Instr &) {}

void jump(Instance &s, const Instr &i) {
  if (i.target < s.pc) {
    jumpBack(s, i);
    if (s.passes < patience)
      ++s.passes;
    else
      watchLoop(s, i);
  }
  s.pc = i.target;
}

void branch(Instance &s, const Instr &i) {
  if (!(scalarBits(s, i, 0) & 1)) {
    if (i.target < s.pc)
      jumpBack(s, i);
    s.pc = i.target;
  }
}

void forTest(Instance &s, const Instr &i) {
  DType type = s.type(s.operandSlot(i, 0));
  int64_t stride = signedBits(scalarBits(s, i, 2), type);
  if (stride <= 0) [[unlikely]]
    raise(s, i, FaultKind::UndefinedValue, badLoopStep(stride), {{"step", std::to_string(stride)}});
  if (signedBits(scalarBits(s, i, 0), type) >= signedBits(scalarBits(s, i, 1), type))
    s.pc = i.target;
}

void forNext(Instance &s, const Instr &i) {
  DType type = s.type(s.operandSlot(i, 0));
  int64_t step = signedBits(scalarBits(s, i, 1), type), next;
  bool outside = __builtin_add_overflow(signedBits(scalarBits(s, i, 0), type), step, &next) ||
                 signedBits(static_cast<uint64_t>(next), type) != next;
  if (outside) // beyond every bound: the loop ends
    return;
  s.result(i).setSplat(unsignedBits(static_cast<uint64_t>(next), type));
  jumpBack(s, i);
  s.pc = i.target;
}

void move(Instance &s, const Instr &i) {
  if (i.flags & FlagSpin)
    for (unsigned n = 0; n < i.numResults; ++n)
      s.carriedChange |= !same(s.operand(i, n), s.result(i, n));
  if (!(i.flags & FlagParallel)) {
    for (unsigned n = 0; n < i.numResults; ++n)
      s.result(i, n) = s.take(i, n);
    return;
  }
  constexpr unsigned few = 16;
  Value near[few];
  std::vector<Value> far;
  Value *kept = near;
  if (i.numResults > few) {
    far.resize(i.numResults);
    kept = far.data();
  }
  for (unsigned n = 0; n < i.numResults; ++n)
    kept[n] = s.operand(i, n);
  s.dropLastUses(i);
  for (unsigned n = 0; n < i.numResults; ++n)
    s.result(i, n) = std::move(kept[n]);
}

void finish(Instance &s, const Instr &) { s.stop = Stop::Done; }
void regionEnd(Instance &s, const Instr &) { s.stop = Stop::RegionEnd; }

} // namespace trisect::interp
