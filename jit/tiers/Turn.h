//===- Turn.h - one thread at a time, in one process ----------------------------------------------------===//
//
// What: a lock that whoever need not have it passes by. Why: its holder runs kernels, which ask the host's
// language whether to stop: a fork cannot be made to wait for that, as it is for other locks
// (core/support/ForkGate.h). Limits: those who wait look every 50 microseconds; what a thread of the parent
// held is free in a forked child.
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
    return before != own && holder.compare_exchange_strong(before, own);
  }
  void lock() {
    while (!try_lock())
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  void unlock() { holder = 0; }

private:
  std::atomic<pid_t> holder{0}; ///< the process; 0: free
};

} // namespace trisect::jit

#endif // TRISECT_JIT_TIERS_TURN_H
