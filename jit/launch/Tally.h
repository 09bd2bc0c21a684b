//===- Tally.h - how often a kernel ran, and what comparisons found -------------------------------------===//
//
// What: the sums of all launches and comparisons of one kernel. Why: events keep their last few; a report of
// a whole program needs the numbers.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_LAUNCH_TALLY_H
#define TRISECT_JIT_LAUNCH_TALLY_H

#include "jit/check/Verdict.h"
#include <array>
#include <cstdint>

namespace trisect::jit {

struct Tally {
  int64_t launches = 0;              ///< in any tier
  int64_t interpreted = 0;           ///< of these in tier 0
  std::array<int64_t, 4> verdicts{}; ///< by VerdictKind
  int64_t bytes = 0;                 ///< compared
  double worst = 0;                  ///< as in Verdict
  int64_t slowest = 0;               ///< nanoseconds of a comparison

  void add(const Verdict &verdict, int64_t nanoseconds);
};

} // namespace trisect::jit

#endif // TRISECT_JIT_LAUNCH_TALLY_H
