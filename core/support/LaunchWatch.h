//===- LaunchWatch.h - how a launch is stopped from outside ---------------------------------------------===//
//
// What: while a launch runs, `attention` is raised every 20 ms, and code that runs under guardedUntil() for
// it is interrupted. A running program that sees it calls look(), which asks the host on the launching thread
// whether the user wants to stop (Ctrl-C in Python), and knows when the time of TRISECT_TIMEOUT is over. Why:
// a kernel that loops for ever must end without ending the process, and only the thread that launched may ask
// Python. Limits: costs one thread for the process, made when it is first needed; without a host's question
// and a time limit there is none.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_LAUNCHWATCH_H
#define TRISECT_CORE_SUPPORT_LAUNCHWATCH_H

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>

namespace trisect {

/// Thrown out of a launch that the caller wanted to end before its time; programs that had finished have
/// written.
struct Interrupted {};

/// True if the user wants the launch to end. Called on the launching thread.
using StopQuestion = bool (*)();
/// The host's question, for all launches from now on; null: none.
void setStopQuestion(StopQuestion question);

class LaunchWatch {
public:
  enum class Order : uint8_t { GoOn, Interrupt, TimeOut };

  /// On the launching thread. Reads TRISECT_TIMEOUT.
  LaunchWatch();
  ~LaunchWatch();
  LaunchWatch(const LaunchWatch &) = delete;
  LaunchWatch &operator=(const LaunchWatch &) = delete;

  const std::atomic<bool> &attention() const { return raised; }
  /// What to do; any thread may ask, best when attention is raised.
  Order look();
  /// What was ordered so far, without asking anybody.
  Order ordered() const { return order.load(std::memory_order_relaxed); }
  /// The question of guardedUntil(), for code that does not look at `attention`.
  static bool shallLeave(void *watch);
  bool isLauncher() const { return std::this_thread::get_id() == launcher; }
  /// Whether launches are watched at all.
  bool active() const { return registered; }
  /// The limit in seconds, if there is one.
  std::optional<int64_t> limit() const { return seconds; }

private:
  friend class Watcher;

  std::atomic<bool> raised{false};
  std::atomic<Order> order{Order::GoOn};
  std::thread::id launcher;
  std::optional<int64_t> seconds;
  std::chrono::steady_clock::time_point end;
  bool registered = false;
};

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_LAUNCHWATCH_H
