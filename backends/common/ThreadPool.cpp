//===- ThreadPool.cpp - own worker threads --------------------------------------------------------------===//
#include "backends/common/ThreadPool.h"
#include <chrono>

namespace trisect {

namespace {
constexpr auto spinTime = std::chrono::microseconds(30);

template <class Condition> bool spinUntil(Condition condition) {
  auto deadline = std::chrono::steady_clock::now() + spinTime;
  do {
    for (int i = 0; i < 64; ++i) {
      if (condition())
        return true;
      __builtin_ia32_pause();
    }
  } while (std::chrono::steady_clock::now() < deadline);
  return condition();
}
} // namespace

ThreadPool &ThreadPool::instance() {
  static auto *pool = new ThreadPool;
  return *pool;
}

void ThreadPool::run(unsigned threads, llvm::function_ref<void()> job) {
  std::lock_guard only(callers);
  {
    std::lock_guard guard(lock);
    while (workers.size() + 1 < threads) {
      workers.emplace_back([this, index = static_cast<unsigned>(workers.size())] { work(index); });
      workers.back().detach();
    }
    current = job;
    wanted = threads - 1;
    running = threads - 1;
    ++generation;
  }
  wake.notify_all();
  job();
  if (!spinUntil([&] { return running == 0; })) {
    std::unique_lock guard(lock);
    done.wait(guard, [&] { return running == 0; });
  }
}

void ThreadPool::work(unsigned index) {
  uint64_t seen = 0;
  while (true) {
    if (!spinUntil([&] { return generation != seen; })) {
      std::unique_lock guard(lock);
      wake.wait(guard, [&] { return generation != seen; });
    }
    llvm::function_ref<void()> job;
    {
      std::lock_guard guard(lock);
      seen = generation;
      if (index >= wanted)
        continue;
      job = current;
    }
    job();
    if (--running == 0) {
      std::lock_guard guard(lock);
      done.notify_all();
    }
  }
}

} // namespace trisect
