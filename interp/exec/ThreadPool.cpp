//===- ThreadPool.cpp - borrowed and own threads --------------------------------------------------------===//
#include "interp/exec/ThreadPool.h"
#include <atomic>
#include <chrono>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <memory>
#include <mutex>
#include <sched.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace trisect::interp {

namespace {

using GompParallel = void (*)(void (*)(void *), void *, unsigned, unsigned);

struct Search {
  unsigned long long generation = 0; ///< the loader's count of libraries so far
  char path[4096] = "";
};

/// The OpenMP entry of a runtime that is loaded already, or null. Looks again only after libraries were
/// loaded.
GompParallel borrowed() {
  static std::mutex lock;
  static unsigned long long known = 0;
  static GompParallel entry = nullptr;
  std::lock_guard<std::mutex> guard(lock);
  if (entry)
    return entry;
  Search search;
  search.generation = known;
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *data) {
        auto *search = static_cast<Search *>(data);
        if (info->dlpi_adds == known)
          return 1;
        search->generation = info->dlpi_adds;
        if (!info->dlpi_name || !std::strstr(info->dlpi_name, "libgomp"))
          return 0;
        std::strncpy(search->path, info->dlpi_name, sizeof(search->path) - 1);
        return 1;
      },
      &search);
  known = search.generation;
  if (search.path[0])
    if (void *handle = dlopen(search.path, RTLD_LAZY | RTLD_NOLOAD))
      entry = reinterpret_cast<GompParallel>(dlsym(handle, "GOMP_parallel"));
  return entry;
}

/// Threads that spin for a moment before they sleep. Made on first use, and again in a forked child.
class Pool {
public:
  explicit Pool(int helpers) : owner(getpid()) {
    for (int n = 0; n < helpers; ++n)
      threads.emplace_back([this, n] { serve(n + 1); });
  }
  ~Pool() {
    stop = true;
    generation.fetch_add(1);
    generation.notify_all();
    for (std::thread &thread : threads)
      thread.join();
  }

  void run(int count, const std::function<void(int)> &work) {
    task = &work;
    wanted = count;
    remaining.store(static_cast<int>(threads.size()));
    generation.fetch_add(1);
    generation.notify_all();
    work(0);
    for (int left; (left = remaining.load()) > 0;)
      await(remaining, left);
  }

  pid_t owner;

private:
  template <typename T> static void await(std::atomic<T> &value, T old) {
    auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(30);
    while (value.load(std::memory_order_acquire) == old) {
      for (int n = 0; n < 64; ++n)
        __builtin_ia32_pause();
      if (std::chrono::steady_clock::now() > until) {
        value.wait(old);
        return;
      }
    }
  }

  void serve(int index) {
    unsigned seen = 0;
    while (true) {
      await(generation, seen);
      unsigned now = generation.load();
      if (now == seen)
        continue;
      seen = now;
      if (stop)
        return;
      if (index < wanted)
        (*task)(index);
      if (remaining.fetch_sub(1) == 1)
        remaining.notify_all();
    }
  }

  std::vector<std::thread> threads;
  std::atomic<unsigned> generation{0};
  std::atomic<int> remaining{0};
  std::atomic<bool> stop{false};
  const std::function<void(int)> *task = nullptr;
  int wanted = 0;
};

struct Borrowed {
  const std::function<void(int)> *work;
  std::atomic<int> next{0};
};

} // namespace

int availableThreads() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    return CPU_COUNT(&set);
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

void parallel(int threads, const std::function<void(int)> &work) {
  if (threads <= 1)
    return work(0);
  if (GompParallel entry = borrowed()) {
    Borrowed shared{&work};
    entry(
        [](void *data) {
          auto *shared = static_cast<Borrowed *>(data);
          (*shared->work)(shared->next.fetch_add(1));
        },
        &shared, static_cast<unsigned>(threads), 0);
    return;
  }
  static std::mutex lock;
  static Pool *pool = nullptr;
  static int size = 0;
  std::unique_lock<std::mutex> guard(lock, std::try_to_lock);
  if (!guard.owns_lock()) { // another launch uses the pool: this one gets its own threads
    std::vector<std::thread> own;
    for (int n = 1; n < threads; ++n)
      own.emplace_back(work, n);
    work(0);
    for (std::thread &thread : own)
      thread.join();
    return;
  }
  if (pool && pool->owner != getpid())
    pool = nullptr; // its threads stayed in the parent process
  if (!pool || size < threads) {
    delete pool;
    pool = new Pool(threads - 1);
    size = threads;
  }
  pool->run(threads, work);
}

} // namespace trisect::interp
