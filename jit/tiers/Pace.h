//===- Pace.h - whether compiled code is faster than tier 0 ---------------------------------------------===//
//
// What: the time of launches that do the same work, in tier 0 and on compiled code. Why: a compiled form that
// is slower is not worth running; blocks of one element, or calls of a library in every lane, make such
// forms. Limits: work is the same if grid and scalar arguments are; a form is judged by the shortest of some
// launches, and only by work that tier 0 did too.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_TIERS_PACE_H
#define TRISECT_JIT_TIERS_PACE_H

#include "core/support/ForkGate.h"
#include "core/support/Launch.h"
#include "jit/kernel/Kernel.h"
#include <atomic>
#include <cstdint>
#include <span>

namespace trisect::jit {

/// A number for the grid and the scalars of a launch.
uint64_t workOf(const LaunchRequest &request, std::span<const KernelParameter> parameters);

/// The shortest launch of the work that was done last.
class Pace {
public:
  struct Best {
    uint64_t work = 0;
    int64_t nanoseconds = 0;
    int64_t launches = 0;
  };
  /// One more launch; what is known of its work.
  Best ran(uint64_t work, int64_t nanoseconds);
  Best best() const;

private:
  mutable ForkMutex lock;
  Best known;
};

/// Whether a form whose launches of the same work are these is slower than tier 0.
bool isSlower(const Pace::Best &compiled, const Pace::Best &tier0);

} // namespace trisect::jit

#endif // TRISECT_JIT_TIERS_PACE_H
