//===- Watchdog.h - a time limit ------------------------------------------------------------------------===//
//
// What: stops a run that takes too long through its interrupt flag.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_TOOLS_WATCHDOG_H
#define TRISECT_INTERP_TOOLS_WATCHDOG_H

#include "core/support/Outcome.h"
#include "core/support/OwnThread.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace trisect::tools {

/// Sets a flag after some time unless it is destroyed before.
class Watchdog {
public:
  Watchdog(double seconds, std::atomic<bool> &flag) : shared(std::make_shared<Shared>()) {
    bool started = startThread([shared = shared, seconds, &flag] {
      std::unique_lock<std::mutex> guard(shared->lock);
      if (!shared->over.wait_for(guard, std::chrono::duration<double>(seconds), [&] { return shared->done; }))
        flag = true;
    });
    if (!started)
      throw Unsupported("the system gives no thread to watch the time of a run");
  }
  ~Watchdog() {
    std::lock_guard<std::mutex> guard(shared->lock);
    shared->done = true;
    shared->over.notify_all();
  }
  Watchdog(const Watchdog &) = delete;
  Watchdog &operator=(const Watchdog &) = delete;

private:
  struct Shared {
    std::mutex lock;
    std::condition_variable over;
    bool done = false;
  };
  std::shared_ptr<Shared> shared;
};

} // namespace trisect::tools

#endif // TRISECT_INTERP_TOOLS_WATCHDOG_H
