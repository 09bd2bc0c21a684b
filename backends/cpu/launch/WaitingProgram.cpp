//===- WaitingProgram.cpp - turns and what they show ----------------------------------------------------===//
#include "backends/cpu/launch/WaitingProgram.h"
#include "backends/cpu/launch/KeptRegisters.h"
#include <algorithm>
#include <cstring>

namespace trisect::cpu {

namespace {
constexpr int firstPasses = 64; ///< before a program gives way for the first time; one pass a turn later on
/// Memory that a program takes besides its scratch memory: what it touches of its stack.
constexpr int64_t stackShare = 8192;
} // namespace

WaitingProgram::WaitingProgram(StackPool &stacks, const LaunchedCode &code, std::atomic<int64_t> &printLeft)
    : code(code), share(code.scratchBytes() + stackShare),
      scratch(std::aligned_alloc(64, static_cast<size_t>((code.scratchBytes() + 63) / 64 * 64))),
      fiber(stacks, body, this) {
  if (!scratch)
    throw OutOfBlockMemory();
  hook() = {assertionFailed,
            nullptr,
            laneFunctions(),
            printOperands,
            &printLeft,
            {pause, this, 0, 0},
            untriedKeepingRegisters(),
            {},
            0};
}

void WaitingProgram::start(int64_t id) {
  linear = id;
  hasEnded = false;
  lastPlace = -1;
  hook().wait.changed = 0;
  mostPasses = firstPasses;
  forget();
}

void WaitingProgram::turn(Failure &failed) {
  hook().context = &failed;
  passes = 0;
  if (setjmp(failed.back) == 0)
    fiber.resume();
}

void WaitingProgram::body(void *self) {
  auto &program = *static_cast<WaitingProgram *>(self);
  while (true) {
    enter(program.code, program.linear, program.linear + 1, program.scratch.get());
    program.hasEnded = true;
    program.fiber.suspend();
  }
}

void WaitingProgram::pause(WaitHook *hook, int64_t place, const uint64_t *carried, int64_t count) {
  auto &program = *static_cast<WaitingProgram *>(hook->program);
  if (++program.passes < program.mostPasses)
    return;
  program.place = place;
  program.carried = carried;
  program.carriedCount = count;
  program.fiber.suspend();
}

void WaitingProgram::forget() {
  rememberedPlace = -1;
  repeats = false;
  turns = 0;
  renewal = 1;
}

void WaitingProgram::remember(uint64_t memory) {
  rememberedPlace = place;
  remembered = last;
  rememberedMemory = memory;
  turns = 0;
  renewal *= 2;
  if (!code.artifact.waits[static_cast<size_t>(place)].blocks)
    return;
  const char *all = static_cast<const char *>(scratch.get());
  rememberedBlocks.assign(all + assertHookBytes, all + code.scratchBytes());
}

bool WaitingProgram::sameAsRemembered() const {
  if (rememberedPlace != place || remembered != last)
    return false;
  return !code.artifact.waits[static_cast<size_t>(place)].blocks ||
         std::memcmp(rememberedBlocks.data(), static_cast<const char *>(scratch.get()) + assertHookBytes,
                     rememberedBlocks.size()) == 0;
}

bool WaitingProgram::note(uint64_t memory) {
  mostPasses = 1;
  WaitHook &wait = hook().wait;
  // A program that has come to another loop may have done anything on its way.
  bool changed = wait.changed != 0 || place != lastPlace || carried[0] != last.front();
  wait.changed = 0;
  lastPlace = place;
  valuesChange = !std::equal(last.begin(), last.end(), carried, carried + carriedCount);
  last.assign(carried, carried + carriedCount);
  if (changed || memory != rememberedMemory)
    forget();
  repeats = repeats || sameAsRemembered(); // once it goes round in a circle it stays there
  if (!repeats && ++turns >= renewal)
    remember(memory);
  return changed;
}

StuckProgram WaitingProgram::standing() const {
  StuckProgram result{linear, programOf(linear, code.request.grid), {}, lastPlace >= 0};
  if (lastPlace < 0)
    return result;
  const WaitPlace &where = code.artifact.waits[static_cast<size_t>(lastPlace)];
  result.position = valuesChange || where.blocks ? where.loop : where.reads;
  return result;
}

} // namespace trisect::cpu
