//===- AssertHook.h - how compiled code reports a failed assertion --------------------------------------===//
//
// What: lies at the start of every thread's scratch memory. Compiled code calls `failed`, which does not
// return, the functions of the runtime, `wait` where it may wait for another program, and `untried` before a
// path that is closed.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_ASSERTHOOK_H
#define TRISECT_BACKENDS_CPU_ASSERTHOOK_H

#include "backends/cpu/WaitHook.h"
#include "backends/cpu/runtime/Function.h"
#include "backends/cpu/runtime/Print.h"
#include "backends/target/PathWatch.h"
#include <cstdint>

namespace trisect::cpu {

struct AssertHook {
  void (*failed)(AssertHook *hook, int64_t assertion, int64_t value, int32_t x, int32_t y, int32_t z);
  void *context;
  const LaneFunction *functions; ///< of the runtime, by number
  decltype(&printOperands) print;
  std::atomic<int64_t> *printLeft; ///< bytes that the launch may still print
  WaitHook wait;
  /// A program comes to a path of that number. Returns if it may take it.
  void (*untried)(AssertHook *hook, int64_t path, int32_t x, int32_t y, int32_t z);
  uint8_t closed[mostPaths]; ///< by path: not 0 if it must be asked about
  uint8_t kept;              ///< not 0: behind the hook lies what programs of the same launch have left there
};
/// Bytes that the hook takes.
constexpr int64_t assertHookBytes = 256;
static_assert(sizeof(AssertHook) <= assertHookBytes);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_ASSERTHOOK_H
