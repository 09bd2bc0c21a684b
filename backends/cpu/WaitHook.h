//===- WaitHook.h - how compiled code lets other programs run -------------------------------------------===//
//
// What: a part of AssertHook. Compiled code calls `pause` at the end of each pass of a loop that may wait for
// another program, and tells there what the loop carries on and whether the program has changed memory since
// the last call. Why: one thread runs many programs; a wait must give way to those that end it, and one that
// nobody ends must be found out.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_WAITHOOK_H
#define TRISECT_BACKENDS_CPU_WAITHOOK_H

#include <cstdint>

namespace trisect::cpu {

struct WaitHook {
  /// `place`: the loop's number among Artifact::waits. `carried`: the scalars of its next pass, behind the
  /// number of times that the program has come to such a loop: another coming is another wait.
  void (*pause)(WaitHook *hook, int64_t place, const uint64_t *carried, int64_t count);
  void *program;    ///< whose hook it is; compiled code does not look at it
  uint32_t comings; ///< to loops that may wait, counted by compiled code
  uint32_t changed; ///< not 0: memory has another value, or a clock was read; set by compiled code
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_WAITHOOK_H
