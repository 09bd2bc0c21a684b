//===- Arrivals.h - waiting for other threads, a little at a time ---------------------------------------===//
//
// What: counts what other threads have done; one thread waits until it is enough, and comes back now and then
// to look after something else. Limits: Linux; one thread waits at a time.
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
  void arrive() {
    count.fetch_add(1);
    if (sleeping.load())
      syscall(SYS_futex, &count, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  }

  /// True once `expected` have arrived; false after some milliseconds without that.
  bool await(int expected) {
    auto spinEnd = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
    while (count.load(std::memory_order_acquire) < expected) {
      if (std::chrono::steady_clock::now() < spinEnd)
        continue;
      sleeping = true;
      int seen = count.load();
      if (seen < expected) {
        timespec most = {0, 20'000'000};
        syscall(SYS_futex, &count, FUTEX_WAIT_PRIVATE, seen, &most, nullptr, 0);
      }
      sleeping = false;
      return count.load() >= expected;
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
