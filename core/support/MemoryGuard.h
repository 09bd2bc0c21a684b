//===- MemoryGuard.h - a wild address ends a piece of work, not the process -----------------------------===//
//
// What: guarded() calls a function; a SIGSEGV or SIGBUS that an instruction of this thread raises meanwhile
// ends the call, and guarded() returns what was touched. Why: kernels compute addresses, and a wrong one must
// become a report. Limits: destructors of the frames between the access and guarded() do not run: work must
// hold no lock while it touches memory of others, and what it held in local variables is lost. Signals that
// do not come out of guarded work go to the handlers that were there before, so that crash handlers of the
// process keep working.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_MEMORYGUARD_H
#define TRISECT_CORE_SUPPORT_MEMORYGUARD_H

#include <cstdint>
#include <optional>

namespace trisect {

struct WildAccess {
  /// What was touched; nothing if the processor does not say (an address that no process can have).
  std::optional<uint64_t> address;
  bool write = false; ///< only if known
};

/// Makes sure that the handlers are in place; cheap when called before every launch.
void installMemoryGuard();

std::optional<WildAccess> guardedCall(void (*work)(void *), void *data);

/// Runs `work` on this thread. Nothing if it came to its end; exceptions pass.
template <typename Work> std::optional<WildAccess> guarded(Work work) {
  return guardedCall([](void *data) { (*static_cast<Work *>(data))(); }, &work);
}

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_MEMORYGUARD_H
