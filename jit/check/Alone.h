//===- Alone.h - programs of a launch, compared before it -----------------------------------------------===//
//
// What: for each range of programs of a sample, tier 0 runs it in an overlay, the compiled form runs it alone
// on copies of the touched memory (or on that memory, which is put back), and all bytes are compared, those
// included that only the compiled form wrote. Why: both see the same memory, whatever other programs, other
// threads or overlapping arguments do, and nothing of it reaches the caller: a kernel that updates in place
// or by atomics is compared like any other. Limits: what programs do to one another is not looked at, unless
// they need one another; bounds follow those in one order, so that a difference then says nothing, while what
// lies within says that the code is right. A fault of tier 0 is not raised here; the launch, run by tier 0,
// will raise it.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_CHECK_ALONE_H
#define TRISECT_JIT_CHECK_ALONE_H

#include "backends/target/Memory.h"
#include "core/support/Executable.h"
#include "jit/check/Evidence.h"
#include "jit/reference/InterpExecutable.h"
#include <chrono>
#include <optional>
#include <vector>

namespace trisect::jit {

struct Candidate {
  Executable &executable;
  MemorySpace &memory;
  bool together = false; ///< programs may wait for one another: those of a range run side by side
  bool asIs = false;     ///< memory is that of an earlier comparison: nothing in it is inverted (Copies.h)
};

/// Compares ranges in their order until the time is over, but at least one. Throws Interrupted, with memory
/// as it was. What differs is kept in `evidence` if there is one.
Verdict compareAlone(const Kernel &kernel, const InterpExecutable &reference, Candidate candidate,
                     const LaunchRequest &request, const std::vector<ProgramRange> &sample,
                     std::chrono::nanoseconds time, std::optional<Evidence> *evidence = nullptr);

} // namespace trisect::jit

#endif // TRISECT_JIT_CHECK_ALONE_H
