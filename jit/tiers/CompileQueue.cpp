//===- CompileQueue.cpp - compiles in the background ----------------------------------------------------===//
#include "jit/tiers/CompileQueue.h"
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace trisect::jit {

namespace {
class Queue {
public:
  void add(std::function<void()> job) {
    std::lock_guard guard(lock);
    // A forked child has the queue but not its thread.
    if (owner != getpid()) {
      owner = getpid();
      busy = false;
      std::thread([this] { work(); }).detach();
    }
    jobs.push_back(std::move(job));
    changed.notify_all();
  }

  void wait() {
    std::unique_lock guard(lock);
    changed.wait(guard, [&] { return owner != getpid() || (jobs.empty() && !busy); });
  }

private:
  void work() {
    std::unique_lock guard(lock);
    while (true) {
      changed.wait(guard, [&] { return !jobs.empty(); });
      std::function<void()> job = std::move(jobs.front());
      jobs.pop_front();
      busy = true;
      guard.unlock();
      job();
      job = nullptr;
      guard.lock();
      busy = false;
      changed.notify_all();
    }
  }

  std::mutex lock;
  std::condition_variable changed;
  std::deque<std::function<void()>> jobs;
  pid_t owner = 0;
  bool busy = false;
};

// Never destroyed: its thread outlives main().
Queue &queue() {
  static auto *instance = new Queue;
  return *instance;
}
} // namespace

void compileInBackground(std::function<void()> job) { queue().add(std::move(job)); }
void waitForCompiles() { queue().wait(); }

} // namespace trisect::jit
