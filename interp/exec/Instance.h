//===- Instance.h - one running program of the grid -----------------------------------------------------===//
//
// What: the state of a program instance: its slots, its program counter and what it needs to reach memory. It
// can stop after any instruction and go on later. Why: a program that waits for another one
// must let it run; a debugger must stop anywhere. Limits: one thread at a time.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_EXEC_INSTANCE_H
#define TRISECT_INTERP_EXEC_INSTANCE_H

#include "core/support/BlockMemory.h"
#include "core/support/Launch.h"
#include "interp/exec/Repetition.h"
#include "interp/exec/Value.h"
#include "interp/memory/Memory.h"
#include "interp/program/Program.h"
#include <atomic>
#include <memory>
#include <string_view>

namespace trisect {
class LaunchWatch;
}

namespace trisect::interp {

class Observer;
class Printer;
class Rider;
class StatementHook;

/// Why a step loop came back.
enum class Stop : uint8_t { None, Done, Wait, RegionEnd, Break };

struct Instance {
  Instance(const Program &program, const LaunchRequest &request, Numerics numerics, MemoryPolicy *policy);

  ~Instance();

  /// Starts over as another program of the grid; slots that are the same for all programs stay.
  void restart(int64_t linear);

  const Program &program;
  const LaunchRequest &request;
  blockmemory::Share share; ///< many programs may wait at once
  const Instr *code;        ///< program.code
  const uint32_t *uses;     ///< program.uses
  BufferPool &pool;         ///< of the thread that made the instance
  std::vector<Value> values;
  /// Where the load or store at each instruction began last, and for which program; see Access::fetchAhead.
  struct Place {
    uint64_t address = 0;
    int64_t linear = 0;
  };
  std::vector<Place> lastPlace;
  uint32_t pc = 0;
  Stop stop = Stop::None;
  bool fused = true; ///< groups run strip by strip
  bool keepsVariables =
      false;           ///< those of the source outlive their last use, where that takes no block memory
  bool primed = false; ///< has started once: the uniform part needs not run again
  uint8_t numerics = 0;
  int threads = 1;   ///< that an operation may use: more than one where one program runs at a time
  int64_t lanes = 1; ///< lanes of the region that runs now
  MemoryPolicy *policy;
  Observer *observer = nullptr;
  StatementHook *statements = nullptr;
  std::unique_ptr<Rider> rider;                 ///< shadow mode; null: direct mode
  const std::atomic<bool> *interrupt = nullptr; ///< somebody wants the launch to stop, or may want to
  LaunchWatch *watch = nullptr;                 ///< who knows; null: the flag alone decides
  Printer *printer = nullptr;                   ///< where prints go; null: nowhere
  int32_t id[3] = {0, 0, 0};
  int64_t linear = 0;

  // What a waiting program did lately (see Run.cpp).
  uint64_t writes = 0;                    ///< writes that changed memory
  uint32_t spins = 0;                     ///< passes over a waiting back edge in this turn
  uint32_t spinLimit = 0;                 ///< give way after so many
  bool carriedChange = false;             ///< a loop-carried slot changed in this turn
  int64_t pollStarted = 0;                ///< when the poll that it stands at began; 0: not yet
  uint32_t passes = 0;                    ///< of loops without a count, up to where they are watched
  std::unique_ptr<Repetition> repetition; ///< once they are
  /// Goes round a loop for ever, unless another program changes memory.
  bool repeats() const { return repetition && repetition->found(*this); }
  /// The clock changes: a wait for a time is no deadlock.
  void sawClock() {
    carriedChange = true;
    if (repetition)
      repetition->forget();
  }
  /// Came nearer to the end of a loop in this turn, for all that is known.
  bool gotOn() const { return carriedChange && !repeats(); }

  Value &slot(SlotId id) { return values[id]; }
  const Value &operand(const Instr &i, unsigned n) const { return values[uses[i.uses + n] & ~lastUseBit]; }
  Value &operand(const Instr &i, unsigned n) { return values[uses[i.uses + n] & ~lastUseBit]; }
  bool has(const Instr &i, unsigned n) const {
    return n < i.numOperands && (uses[i.uses + n] & ~lastUseBit) != noSlot;
  }
  SlotId operandSlot(const Instr &i, unsigned n) const { return uses[i.uses + n] & ~lastUseBit; }
  SlotId resultSlot(const Instr &i, unsigned n = 0) const { return uses[i.uses + i.numOperands + n]; }
  Value &result(const Instr &i, unsigned n = 0) { return values[uses[i.uses + i.numOperands + n]]; }
  bool dies(const Instr &i, unsigned n) const { return uses[i.uses + n] & lastUseBit; }
  /// Elements of a slot; in a region, the lanes.
  int64_t elements(const Instr &i, SlotId slot) const {
    return (i.flags & FlagLanes) ? lanes : program.elements(slot);
  }
  const Shape &shape(SlotId slot) const { return program.shape(slot); }
  DType type(SlotId slot) const { return program.slots[slot].type; }
  /// Of the instruction that runs or ran last.
  const SourcePosition &position() const { return program.position(code[pc ? pc - 1 : 0]); }
  AccessSite site(const Instr &i) const { return {i.location, linear}; }

  /// The operand, moved out if it dies here.
  Value take(const Instr &i, unsigned n) {
    Value &value = operand(i, n);
    if (dies(i, n))
      return std::move(value);
    return value;
  }
  /// Drops the operands that die here.
  void dropLastUses(const Instr &i) {
    if (keepsVariables) [[unlikely]]
      return dropUnnamedLastUses(i);
    for (unsigned n = 0; n < i.numOperands; ++n)
      if (uses[i.uses + n] & lastUseBit)
        values[uses[i.uses + n] & ~lastUseBit].drop();
  }
  void dropUnnamedLastUses(const Instr &i);
};

/// Runs until the instance is done, waits, or has run `budget` instructions (then returns Stop::None).
Stop step(Instance &instance, uint64_t budget = ~uint64_t(0));
/// Runs the body of a region, from instruction `begin` to its RegionEnd; `ridden`: the rider looks at it.
void stepRegion(Instance &instance, uint32_t begin, bool ridden = false);

using Handler = void (*)(Instance &, const Instr &);
/// Throws Interrupted or TimedOut if the launch is to stop; called where the flag is seen.
void stopIfAsked(Instance &instance);
/// The time of the launch is over. Stays inside of the schedule, which makes a fault of it.
struct TimedOut {};

/// The handler of each opcode; the table stands in interp/ops/Handlers.cpp.
extern const Handler handlers[];

/// The bits of a scalar operand, or of the only element of a block.
uint64_t scalarBits(Instance &s, const Instr &i, unsigned n);

} // namespace trisect::interp

#endif // TRISECT_INTERP_EXEC_INSTANCE_H
