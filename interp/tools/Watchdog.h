//===- Watchdog.h - a time limit ------------------------------------------------------------------------===//
//
// What: stops a run that takes too long through its interrupt flag.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_TOOLS_WATCHDOG_H
#define TRISECT_INTERP_TOOLS_WATCHDOG_H

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace trisect::tools {

/// Sets a flag after some time unless it is destroyed before.
class Watchdog {
public:
  Watchdog(double seconds, std::atomic<bool> &flag)
      : thread([this, seconds, &flag] {
          std::unique_lock<std::mutex> guard(lock);
          if (!over.wait_for(guard, std::chrono::duration<double>(seconds), [this] { return done; }))
            flag = true;
        }) {}
  ~Watchdog() {
    {
      std::lock_guard<std::mutex> guard(lock);
      done = true;
    }
    over.notify_all();
    thread.join();
  }

private:
  std::mutex lock;
  std::condition_variable over;
  bool done = false;
  std::thread thread;
};

} // namespace trisect::tools

#endif // TRISECT_INTERP_TOOLS_WATCHDOG_H
