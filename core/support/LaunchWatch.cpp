//===- LaunchWatch.cpp - one thread that ticks ----------------------------------------------------------===//
#include "core/support/LaunchWatch.h"
#include "core/support/ForkGate.h"
#include "core/support/MemoryGuard.h"
#include "core/support/Options.h"
#include "core/support/OwnThread.h"
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace trisect {

namespace {
constexpr std::chrono::milliseconds tick(20);
/// Ticks in which no launch began before the thread goes to sleep: to wake it costs microseconds of a launch.
constexpr int idleTicks = 50;

std::atomic<StopQuestion> hostQuestion{nullptr};
} // namespace

void setStopQuestion(StopQuestion question) { hostQuestion = question; }

/// Raises attention of all launches under way. Lives as long as the process; a forked child makes its own.
class Watcher {
public:
  static Watcher &instance() {
    Watcher *present = current.load(std::memory_order_acquire);
    if (present)
      return *present;
    ForkSection whole;
    inForkedChild([] { current.store(nullptr); });
    auto *made = new Watcher;
    if (current.compare_exchange_strong(present, made))
      return *made;
    delete made;
    return *present;
  }

  void add(LaunchWatch *launch) {
    std::lock_guard guard(lock);
    launches.push_back(launch);
    ++begun;
    if (!started) {
      started = startThread([this] { serve(); }); // without it the next launch tries again
    } else if (asleep) {
      wake.notify_one();
    }
  }

  void remove(LaunchWatch *launch) {
    std::lock_guard guard(lock);
    std::erase(launches, launch);
  }

private:
  [[noreturn]] void serve() {
    std::unique_lock guard(lock);
    for (int idle = 0;; ++idle) {
      // Most launches end long before the next tick, and before a thread that they wake runs.
      if (begun != seen || !launches.empty())
        idle = 0;
      seen = begun;
      if (idle < idleTicks) {
        guard.unlock();
        std::this_thread::sleep_for(tick);
        guard.lock();
      } else {
        asleep = true;
        wake.wait(guard, [this] { return begun != seen; });
        asleep = false;
        continue;
      }
      for (LaunchWatch *launch : launches) {
        launch->raised.store(true, std::memory_order_relaxed);
        interruptGuarded(launch);
      }
    }
  }

  static inline std::atomic<Watcher *> current{nullptr};
  std::mutex lock;
  std::condition_variable wake;
  std::vector<LaunchWatch *> launches;
  uint64_t begun = 0, seen = 0; ///< launches so far; seen: by the thread
  bool started = false, asleep = false;
};

LaunchWatch::LaunchWatch() : launcher(std::this_thread::get_id()), seconds(optionInteger(OptionId::Timeout)) {
  if (!seconds && !hostQuestion.load(std::memory_order_relaxed))
    return;
  if (seconds)
    end = std::chrono::steady_clock::now() + std::chrono::seconds(*seconds);
  registered = true;
  Watcher::instance().add(this);
}

LaunchWatch::~LaunchWatch() {
  if (registered)
    Watcher::instance().remove(this);
}

LaunchWatch::Order LaunchWatch::look() {
  Order known = order.load(std::memory_order_relaxed);
  if (known != Order::GoOn || !registered)
    return known;
  if (isLauncher()) {
    raised.store(false, std::memory_order_relaxed);
    StopQuestion question = hostQuestion.load(std::memory_order_relaxed);
    if (question && question())
      known = Order::Interrupt;
  }
  if (known == Order::GoOn && seconds && std::chrono::steady_clock::now() > end)
    known = Order::TimeOut;
  if (known != Order::GoOn) {
    order.store(known, std::memory_order_relaxed);
    raised.store(true, std::memory_order_relaxed);
  }
  return known;
}

bool LaunchWatch::shallLeave(void *watch) { return static_cast<LaunchWatch *>(watch)->look() != Order::GoOn; }

} // namespace trisect
