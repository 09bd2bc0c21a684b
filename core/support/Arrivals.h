//===- Arrivals.h - waiting for other threads, a little at a time ---------------------------------------===//
//
// What: counts the threads that have entered a piece of work and those that have left it; one of them waits
// until all that entered have left, and comes back now and then to look after something else. Limits: Linux;
// one thread waits at a time; a thread that enters later finds nothing left to do.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_ARRIVALS_H
#define TRISECT_CORE_SUPPORT_ARRIVALS_H

#include <atomic>
#include <chrono>
#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace trisect {

/// Has a cache line to itself: all threads write it, and read what would lie beside it.
class alignas(64) Arrivals {
public:
  void enter() { entered.fetch_add(1); }

  void leave() {
    gone.fetch_add(1);
    if (sleeping.load())
      syscall(SYS_futex, &gone, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  }

  /// True once all that have entered so far have left; false after some milliseconds without that.
  bool awaitAll() {
    if (haveAllLeft())
      return true;
    auto spinEnd = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
    while (!haveAllLeft()) {
      if (std::chrono::steady_clock::now() < spinEnd)
        continue;
      sleeping = true;
      int seen = gone.load();
      if (seen < entered.load()) {
        timespec most = {0, 20'000'000};
        syscall(SYS_futex, &gone, FUTEX_WAIT_PRIVATE, seen, &most, nullptr, 0);
      }
      sleeping = false;
      return haveAllLeft();
    }
    return true;
  }

private:
  // Those that are gone are asked for first: one that comes and goes in between must not stand for another.
  bool haveAllLeft() const {
    int before = gone.load();
    return before == entered.load();
  }

  std::atomic<int> entered{0}, gone{0};
  std::atomic<bool> sleeping{false};
  static_assert(sizeof(std::atomic<int>) == sizeof(int));
};

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_ARRIVALS_H
