//===- CompileQueue.cpp - compiles in the background ----------------------------------------------------===//
#include "jit/tiers/CompileQueue.h"
#include "core/support/ForkGate.h"
#include "core/support/OwnThread.h"
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace trisect::jit {

namespace {
class Queue {
public:
  void add(std::function<void()> job) {
    ForkSection whole;
    std::lock_guard guard(lock);
    jobs.push_back(std::move(job));
    start();
    changed.notify_all();
  }

  void wait() {
    resume();
    while (!threads && runOne()) { // the system gave none
    }
    std::unique_lock guard(lock);
    changed.wait(guard, [&] { return jobs.empty() && busy == 0; });
  }

  void resume() {
    if (threads.load(std::memory_order_relaxed))
      return;
    ForkSection whole;
    std::lock_guard guard(lock);
    if (!jobs.empty())
      start();
  }

  /// What a forked child goes on with: the thread stayed behind, and with it what it waited on.
  Queue *inChild() {
    auto *fresh = new Queue;
    fresh->jobs = std::move(jobs);
    return fresh;
  }

private:
  /// A thread for each job that none is free for, up to a limit. Under the lock.
  void start() {
    auto wanted = std::min<size_t>(static_cast<size_t>(mostThreads()), busy + jobs.size());
    while (threads < wanted && startThread([this] { work(); }))
      ++threads;
  }

  /// Half of the processors: the launches that wait for better code run meanwhile.
  static int mostThreads() {
    return std::clamp(static_cast<int>(std::thread::hardware_concurrency()) / 2, 1, 8);
  }

  void work() {
    while (true) {
      {
        std::unique_lock guard(lock);
        changed.wait(guard, [&] { return !jobs.empty(); });
      }
      runOne();
    }
  }

  /// A fork waits until the job is done: code generators have locks of their own. False if there is none.
  bool runOne() {
    ForkSection whole;
    std::unique_lock guard(lock);
    if (jobs.empty())
      return false; // another thread was faster
    std::function<void()> job = std::move(jobs.front());
    jobs.pop_front();
    ++busy;
    guard.unlock();
    job();
    job = nullptr;
    guard.lock();
    --busy;
    changed.notify_all();
    return true;
  }

  std::mutex lock;
  std::condition_variable changed;
  std::deque<std::function<void()>> jobs;
  std::atomic<size_t> threads{0};
  size_t busy = 0; ///< jobs that run
};

// Never destroyed: its thread outlives main().
std::atomic<Queue *> instance{nullptr};

Queue &queue() {
  Queue *present = instance.load(std::memory_order_acquire);
  if (present)
    return *present;
  ForkSection whole;
  inForkedChild([] { instance.store(instance.load()->inChild()); });
  auto *made = new Queue;
  if (instance.compare_exchange_strong(present, made))
    return *made;
  delete made;
  return *present;
}
} // namespace

void compileInBackground(std::function<void()> job) { queue().add(std::move(job)); }
void resumeCompiles() { queue().resume(); }
void waitForCompiles() { queue().wait(); }

} // namespace trisect::jit
