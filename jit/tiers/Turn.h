//===- Turn.h - one thread at a time, in one process ----------------------------------------------------===//
//
// What: a lock that whoever need not have it passes by. Why: its holder runs kernels, which ask the host's
// language whether to stop: a fork cannot be made to wait for that, as it is for other locks
// (core/support/ForkGate.h), and a handler of a signal may come back here on the holder's own thread:
// isMine() says so, and it must not wait. Limits: those who wait look every 50 microseconds; what a thread of
// the parent held is free in a forked child.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_TIERS_TURN_H
#define TRISECT_JIT_TIERS_TURN_H

#include <atomic>
#include <chrono>
#include <thread>
#include <unistd.h>

namespace trisect::jit {

class Turn {
public:
  bool try_lock() {
    pid_t own = getpid(), before = holder.load();
    if (before == own || !holder.compare_exchange_strong(before, own))
      return false;
    thread = std::this_thread::get_id();
    return true;
  }
  void lock() {
    while (!try_lock())
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  void unlock() {
    thread = std::thread::id();
    holder = 0;
  }
  bool isMine() const { return holder.load() == getpid() && thread.load() == std::this_thread::get_id(); }

private:
  std::atomic<pid_t> holder{0}; ///< the process; 0: free
  std::atomic<std::thread::id> thread{};
};

} // namespace trisect::jit

#endif // TRISECT_JIT_TIERS_TURN_H
