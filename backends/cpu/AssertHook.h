//===- AssertHook.h - how compiled code reports a failed assertion --------------------------------------===//
//
// What: lies at the start of every thread's scratch memory. Compiled code calls `failed`, which does not
// return, the functions of the runtime, `wait` where it may wait for another program, `untried` before a path
// that is closed, and, if it is to, `keep` or `keepLanes` before it writes to memory of the launch. Limits:
// compiled code takes it that `failed` and `untried` change no register (launch/KeptRegisters.h): else it
// would keep in memory what it needs behind each place that may call, and compile half as long again.
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

class OldBytes;

struct AssertHook {
  void (*failed)(AssertHook *hook, int64_t assertion, int64_t value);
  void *context;
  const LaneFunction *functions; ///< of the runtime, by number
  decltype(&printOperands) print;
  std::atomic<int64_t> *printLeft; ///< bytes that the launch may still print
  WaitHook wait;
  /// A program comes to a path of that number. Returns if it may take it. A function of C, but for x86-64,
  /// where both operands lie on the stack and no register changes (launch/KeptRegisters.h).
  void (*untried)(AssertHook *hook, int64_t path);
  uint8_t closed[mostPaths]; ///< by path: not 0 if it must be asked about
  uint8_t kept;              ///< not 0: behind the hook lies what programs of the same launch have left there
  /// Lanes of so many bytes are about to be written, those that `on` has a bit for: from an address on, or
  /// each at its own.
  void (*keep)(AssertHook *hook, const void *address, int64_t bytes, uint64_t on) = nullptr;
  void (*keepLanes)(AssertHook *hook, const uint64_t *addresses, int64_t bytes, uint64_t on) = nullptr;
  OldBytes *old = nullptr;
  int64_t keeps = 0;        ///< not 0 if `keep` must be called
  uint8_t streams = 0;      ///< not 0: what the launch writes is larger than the caches
  uint8_t plainAtomics = 0; ///< not 0: the launch is alone, and on one thread
  int64_t written = 0;      ///< by the program at hand; set to 0 by compiled code where a program begins
  int64_t program = 0;      ///< at hand: its linear id, set by compiled code that has assertions or paths
};
/// Bytes that the hook takes.
constexpr int64_t assertHookBytes = 256;
static_assert(sizeof(AssertHook) <= assertHookBytes);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_ASSERTHOOK_H
