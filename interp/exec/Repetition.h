//===- Repetition.h - a loop that comes back to the same values -----------------------------------------===//
//
// What: watches the values of a program that has gone round a loop for long, and finds that they are those of
// an earlier pass (Brent's search for a cycle: one remembered pass, renewed after twice as many). Why: a
// program is deterministic; with the same values, and no write in between, it goes round for ever unless
// another program changes memory. Limits: who remembers must forget when memory or a clock may have changed;
// a write of the program itself is seen.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_EXEC_REPETITION_H
#define TRISECT_INTERP_EXEC_REPETITION_H

#include "interp/exec/Value.h"
#include "interp/program/Program.h"
#include <vector>

namespace trisect::interp {

struct Instance;

class Repetition {
public:
  /// Another pass, at the jump back with this number. True if the values are those of an earlier one.
  bool pass(const Instance &instance, uint32_t jump);
  /// True from then on, until something is written.
  bool found(const Instance &instance) const;
  /// The jump at which it was found.
  uint32_t jump() const { return at; }
  /// What other programs have written so far, by any count: another count than before may end the loop.
  void memoryIs(uint64_t count);
  void forget();

private:
  bool sameValues(const Instance &instance);

  std::vector<Value> values;
  uint32_t at = 0;
  SlotId witness = 0; ///< where values differed last: likely there again
  uint64_t writes = 0, memory = 0;
  uint64_t passes = 0, renewal = 1;
  bool repeats = false;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_EXEC_REPETITION_H
