//===- WorkerPool.cpp - seats and jobs ------------------------------------------------------------------===//
#include "core/support/WorkerPool.h"
#include "core/support/ForkGate.h"
#include "core/support/OwnThread.h"
#include <chrono>
#include <sched.h>
#include <unistd.h>

namespace trisect {

namespace {

constexpr auto spinTime = std::chrono::microseconds(30);

inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Returns when `value` is not `old` any more, or false when that takes longer than it is worth to spin.
bool spin(const std::atomic<unsigned> &value, unsigned old) {
  auto until = std::chrono::steady_clock::now() + spinTime;
  while (value.load(std::memory_order_acquire) == old) {
    for (int n = 0; n < 64; ++n)
      relax();
    if (std::chrono::steady_clock::now() > until)
      return false;
  }
  return true;
}

std::atomic<WorkerPool *> current{nullptr};

} // namespace

WorkerPool &WorkerPool::instance() {
  WorkerPool *present = current.load(std::memory_order_acquire);
  if (present)
    return *present;
  ForkSection whole;
  inForkedChild([] { current.store(nullptr); });
  auto *made = new WorkerPool;
  if (current.compare_exchange_strong(present, made))
    return *made;
  delete made;
  return *present;
}

/// Under the lock. A machine that gives no more threads gets its work done by fewer.
void WorkerPool::grow(int count) {
  while (int(workers.size()) < count) {
    Worker &next = workers.emplace_back();
    if (!startThread([this, &next] { serve(next); }))
      return workers.pop_back();
  }
}

/// Under the lock.
void WorkerPool::keepOff(int processor) {
  cpu_set_t allowed;
  bool known = false;
  for (Worker &worker : workers) {
    if (worker.keptOff == processor || !worker.sleeps.load(std::memory_order_acquire))
      continue;
    if (!known && sched_getaffinity(0, sizeof allowed, &allowed) != 0)
      return;
    known = true;
    CPU_CLR(processor, &allowed);
    if (CPU_COUNT(&allowed) == 0 || sched_setaffinity(worker.thread, sizeof allowed, &allowed) != 0)
      return;
    worker.keptOff = processor;
  }
}

void WorkerPool::run(int threads, Work work, void *data) {
  Job job{work, data, threads};
  {
    std::lock_guard guard(lock);
    grow(threads - 1);
    if (int processor = sched_getcpu(); processor >= 0)
      keepOff(processor);
    jobs.push_back(&job);
  }
  offers.fetch_add(1);
  offers.notify_all();
  work(data, 0);
  {
    std::lock_guard guard(lock);
    std::erase(jobs, &job);
  }
  while (true) {
    unsigned seen = leaves.load();
    if (job.inside.load(std::memory_order_acquire) == 0)
      return;
    if (!spin(leaves, seen))
      leaves.wait(seen);
  }
}

WorkerPool::Job *WorkerPool::findJob(int &seat) {
  std::lock_guard guard(lock);
  for (Job *job : jobs)
    if (job->taken < job->seats) {
      seat = job->taken++;
      job->inside.fetch_add(1);
      return job;
    }
  return nullptr;
}

void WorkerPool::serve(Worker &own) {
  own.thread = gettid();
  while (true) {
    unsigned seen = offers.load();
    int seat = 0;
    while (Job *job = findJob(seat)) {
      job->work(job->data, seat);
      job->inside.fetch_sub(1, std::memory_order_release); // the caller may be gone with it from here on
      leaves.fetch_add(1);
      leaves.notify_all();
    }
    if (spin(offers, seen))
      continue;
    own.sleeps = true;
    offers.wait(seen);
    own.sleeps = false;
  }
}

} // namespace trisect
