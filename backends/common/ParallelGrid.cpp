//===- ParallelGrid.cpp - one counter for all threads ---------------------------------------------------===//
#include "backends/common/ParallelGrid.h"
#include "core/support/Threads.h"
#include <algorithm>
#include <atomic>
#include <thread>

namespace trisect {

void parallelChunks(int64_t total, int64_t chunk, unsigned threads,
                    llvm::function_ref<void(int64_t, int64_t)> body,
                    llvm::function_ref<void()> ownShareDone) {
  if (total <= 0)
    return;
  chunk = std::max<int64_t>(chunk, 1);
  std::thread::id caller = std::this_thread::get_id();
  std::atomic<int64_t> next{0};
  auto drain = [&] {
    for (int64_t begin; (begin = next.fetch_add(chunk, std::memory_order_relaxed)) < total;)
      body(begin, std::min(begin + chunk, total));
  };
  int64_t pieces = (total + chunk - 1) / chunk;
  threads = static_cast<unsigned>(std::min<int64_t>(threads, pieces));
  if (threads <= 1)
    return drain();
  onThreads(static_cast<int>(threads), [&](int) {
    drain();
    if (ownShareDone && std::this_thread::get_id() == caller)
      ownShareDone();
  });
}

} // namespace trisect
