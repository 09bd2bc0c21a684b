//===- Arrivals.h - waiting for other threads, a little at a time ---------------------------------------===//
//
// What: counts threads that have come to some point; one thread waits until they are enough, awake for a
// while and then asleep, and comes back now and then to look after something else. Limits: Linux; one thread
// waits at a time.
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

class Arrivals {
public:
  /// Returns how many were there before.
  int arrive() {
    int before = count.fetch_add(1);
    if (sleeping.load())
      syscall(SYS_futex, &count, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
    return before;
  }

  int arrived() const { return count.load(); }

  /// True once `expected` have arrived; false after some milliseconds without that.
  bool await(int expected) {
    if (arrived() >= expected)
      return true;
    auto spinEnd = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
    while (arrived() < expected) {
      if (std::chrono::steady_clock::now() < spinEnd)
        continue;
      sleeping = true;
      int seen = arrived();
      if (seen < expected) {
        timespec most = {0, 20'000'000};
        syscall(SYS_futex, &count, FUTEX_WAIT_PRIVATE, seen, &most, nullptr, 0);
      }
      sleeping = false;
      return arrived() >= expected;
    }
    return true;
  }

private:
  std::atomic<int> count{0};
  std::atomic<bool> sleeping{false};
  static_assert(sizeof(std::atomic<int>) == sizeof(int));
};

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_ARRIVALS_H
