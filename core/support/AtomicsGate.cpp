//===- AtomicsGate.cpp - a count, and a bit for who is alone --------------------------------------------===//
#include "core/support/AtomicsGate.h"
#include "core/support/ForkGate.h"
#include <atomic>
#include <chrono>
#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace trisect {

namespace {
constexpr uint32_t alone = uint32_t(1) << 31;

/// How many launches share the gate or want to, and `alone`.
std::atomic<uint32_t> inside{0};
std::atomic<uint32_t> forks{0}; ///< of which this process is the last child
thread_local bool aloneHere = false;

const bool installed = [] {
  inForkedChild([] {
    inside = 0;
    forks.fetch_add(1);
    aloneHere = false;
  });
  return true;
}();

void sleepWhile(uint32_t seen) {
  timespec most = {0, 20'000'000};
  syscall(SYS_futex, &inside, FUTEX_WAIT_PRIVATE, seen, &most, nullptr, 0);
}
} // namespace

AtomicsStay::AtomicsStay(Kind wanted, LaunchWatch &watch) : process(forks.load(std::memory_order_relaxed)) {
  if (wanted == Kind::None || aloneHere)
    return;
  uint32_t nobody = 0;
  if (wanted == Kind::Alone && inside.compare_exchange_strong(nobody, alone)) {
    aloneHere = true;
    kind = Kind::Alone;
  } else {
    share(watch);
  }
}

// Nobody gets to be alone once this launch is counted. One that gives up before the other has left loses its
// own sums alone, and nobody asks for them.
void AtomicsStay::share(LaunchWatch &watch) {
  kind = Kind::Shared;
  uint32_t seen = inside.fetch_add(1) + 1;
  auto spinEnd = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
  for (; seen & alone; seen = inside.load()) {
    if (std::chrono::steady_clock::now() < spinEnd)
      continue;
    if (watch.look() != LaunchWatch::Order::GoOn)
      return;
    sleepWhile(seen);
  }
}

AtomicsStay::~AtomicsStay() {
  if (kind == Kind::None || process != forks.load(std::memory_order_relaxed))
    return;
  if (kind == Kind::Shared) {
    inside.fetch_sub(1);
    return;
  }
  aloneHere = false;
  if (inside.fetch_and(~alone) != alone)
    syscall(SYS_futex, &inside, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

} // namespace trisect
