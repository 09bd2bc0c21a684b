//===- Failure.h - how programs ended before their time -------------------------------------------------===//
//
// What: what one thread knows when its programs end early, and the error that a user gets for it.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_LAUNCH_FAILURE_H
#define TRISECT_BACKENDS_CPU_LAUNCH_FAILURE_H

#include "backends/cpu/AssertHook.h"
#include "backends/target/Artifact.h"
#include "backends/target/PathWatch.h"
#include "core/support/Launch.h"
#include "core/support/LaunchWatch.h"
#include "core/support/MemoryGuard.h"
#include <array>
#include <csetjmp>
#include <cstdint>
#include <optional>

namespace trisect::cpu {

/// An assertion goes back to before the programs of the thread began, as does an access where there is no
/// memory, and an order to stop.
struct Failure {
  std::jmp_buf back;
  int64_t assertion = -1;
  int64_t value = 0;   ///< what the report of the assertion may name
  int64_t program = 0; ///< that failed, or came to a path: its linear id
  GuardedEnd guard;
  PathWatch *watch = nullptr; ///< of the launch
  bool atPath = false;        ///< the launch ends before a path
  bool noStack = false;       ///< the stack of a program that may wait was too short
  bool noScratch = false;     ///< there was no memory for the blocks, or for the thread
  int64_t begin = 0, end = 0; ///< linear ids of the programs that ran

  /// Whether the programs did not come to their end.
  bool happened() const { return guard.wild || guard.left || noScratch || atPath || assertion >= 0; }
};

/// For AssertHook::failed, with a Failure as its context.
void assertionFailed(AssertHook *hook, int64_t assertion, int64_t value);
/// For AssertHook::untried, likewise, behind keepingRegisters().
void untriedPath(AssertHook *hook, int64_t path);
/// Keeps what is to be told: what a kernel does wrong goes before an order from outside, and both before the
/// end at a path.
void keepFirst(std::optional<Failure> &kept, const Failure &failed);
/// The ids of a program along the axes of a grid.
std::array<int32_t, 3> programOf(int64_t linear, const Grid &grid);

/// A launch that failed, for its report.
struct FailedLaunch {
  const Artifact &artifact;
  const Grid &grid;
  int64_t programs;     ///< of the launch
  int64_t finished;     ///< of them
  int64_t scratchBytes; ///< on all threads
  const LaunchWatch &watch;
};

/// Throws KernelFault, Unsupported, or Interrupted.
[[noreturn]] void fail(const Failure &failed, const FailedLaunch &launch);
/// Throws Unsupported if the blocks of all threads take more memory than there is.
void checkScratch(const Artifact &artifact, int64_t bytes);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_LAUNCH_FAILURE_H
