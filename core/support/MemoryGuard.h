//===- MemoryGuard.h - a wild address ends a piece of work, not the process -----------------------------===//
//
// What: guarded() calls a function; a SIGSEGV or SIGBUS that an instruction of this thread raises meanwhile
// ends the call, and guarded() returns what was touched. guardedUntil() can also be left from outside:
// whoever calls interruptGuarded() makes the thread ask, in the middle of its work, whether it shall go on.
// Why: kernels compute addresses, and a wrong one must become a report; compiled kernels loop without looking
// at any flag. Limits: destructors of the frames between the access and guarded() do not run: work must hold
// no lock while it touches memory of others, and what it held in local variables is lost; work of
// guardedUntil() must hold no lock at all but in UnleavableWork. Signals that do not come out of guarded work
// go to the handlers that were there before, so that crash handlers of the process keep working; SIGURG,
// which is ignored unless somebody wants it, carries the interruption.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_MEMORYGUARD_H
#define TRISECT_CORE_SUPPORT_MEMORYGUARD_H

#include <chrono>
#include <cstdint>
#include <optional>

namespace trisect {

struct WildAccess {
  /// What was touched; nothing if the processor does not say (an address that no process can have).
  std::optional<uint64_t> address;
  bool write = false; ///< only if known
};

/// Makes sure that the handlers are in place; cheap when called before every launch. `now`: the present time.
void installMemoryGuard(std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now());

/// Whether work that was interrupted is to be left; runs on the thread of the work, in a signal handler that
/// may take its time.
using LeaveQuestion = bool (*)(void *owner);

struct GuardedEnd {
  std::optional<WildAccess> wild;
  bool left = false; ///< the question was answered with yes
};

GuardedEnd guardedCall(void (*work)(void *), void *data, LeaveQuestion leave = nullptr,
                       void *owner = nullptr);

/// Runs `work` on this thread. Nothing if it came to its end; exceptions pass.
template <typename Work> std::optional<WildAccess> guarded(Work work) {
  return guardedCall([](void *data) { (*static_cast<Work *>(data))(); }, &work).wild;
}

/// As guarded(); interruptGuarded(owner) makes it ask `leave(owner)`.
template <typename Work> GuardedEnd guardedUntil(LeaveQuestion leave, void *owner, Work work) {
  return guardedCall([](void *data) { (*static_cast<Work *>(data))(); }, &work, leave, owner);
}
void interruptGuarded(void *owner);

/// A part of guarded work that holds locks or memory, such as what compiled code calls to print: while one
/// lives, its thread is not left. An interruption in the meantime comes when it ends: it must be the first
/// object of its scope, and no frame between it and guarded() may own anything.
class UnleavableWork {
public:
  UnleavableWork();
  ~UnleavableWork();
  UnleavableWork(const UnleavableWork &) = delete;
  UnleavableWork &operator=(const UnleavableWork &) = delete;

private:
  void *recovery;
  bool wasAsking;
};

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_MEMORYGUARD_H
