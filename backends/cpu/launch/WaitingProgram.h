//===- WaitingProgram.h - a program that may stop in the middle -----------------------------------------===//
//
// What: runs programs one after another on a stack and scratch memory of its own. A turn goes on until the
// program has gone round a loop that may wait often enough (WaitHook.h), or has ended. note() then finds out
// whether it repeats itself: the values of a pass are those of an earlier one (Brent's search for a cycle),
// and nothing changed memory in between; it goes on so until another program changes memory.
// Limits: turns of one program run on one thread. What runs in turn() may be left at any instruction, in the
// hook too: it stores plain fields and switches stacks; all that takes memory is in start() and note().
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_LAUNCH_WAITINGPROGRAM_H
#define TRISECT_BACKENDS_CPU_LAUNCH_WAITINGPROGRAM_H

#include "backends/common/Fiber.h"
#include "backends/cpu/AssertHook.h"
#include "backends/cpu/launch/Enter.h"
#include "core/support/BlockMemory.h"
#include "core/support/StuckFault.h"
#include <cstdlib>
#include <memory>
#include <vector>

namespace trisect::cpu {

class WaitingProgram {
public:
  /// Throws OutOfBlockMemory, or Unsupported if there is no memory for a stack.
  WaitingProgram(StackPool &stacks, const LaunchedCode &code, std::atomic<int64_t> &printLeft);

  /// Becomes the program with this linear id; the one before must have ended.
  void start(int64_t id);
  /// Runs for a turn; `failed` is where an assertion goes.
  void turn(Failure &failed);
  bool ended() const { return hasEnded; }
  /// Whether a turn ended because its stack was too short.
  bool overflowed(const GuardedEnd &end) const {
    return end.wild && end.wild->address && fiber.overflowedAt(*end.wild->address);
  }

  /// After a turn that ended in a pause; `memory` counts changes of it before that turn. True if the program
  /// changed it, or may have.
  bool note(uint64_t memory);
  /// Whether, with so many changes of memory, further turns would find and do the same again.
  bool isStuck(uint64_t memory) const { return repeats && memory == rememberedMemory; }

  int64_t id() const { return linear; }
  /// Where it waited last, if it ever did.
  StuckProgram standing() const;

private:
  static void body(void *self);
  static void pause(WaitHook *hook, int64_t place, const uint64_t *carried, int64_t count);
  AssertHook &hook() const { return *static_cast<AssertHook *>(scratch.get()); }
  void forget();
  void remember(uint64_t memory);
  bool sameAsRemembered() const;

  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };

  const LaunchedCode &code;
  blockmemory::Share share; ///< many may wait at once
  std::unique_ptr<void, Free> scratch;
  Fiber fiber;
  int64_t linear = 0;
  bool hasEnded = false;
  int passes = 0, mostPasses = 0; ///< in this turn

  // Of the latest pause.
  int64_t place = 0;
  const uint64_t *carried = nullptr;
  int64_t carriedCount = 0;

  // Of pauses before; what is remembered is renewed after twice as many turns each time.
  int64_t lastPlace = -1;
  std::vector<uint64_t> last; ///< what the pause before carried
  int64_t rememberedPlace = -1;
  std::vector<uint64_t> remembered;
  std::vector<char> rememberedBlocks;
  uint64_t rememberedMemory = 0, turns = 0, renewal = 1;
  bool repeats = false, valuesChange = false;
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_LAUNCH_WAITINGPROGRAM_H
