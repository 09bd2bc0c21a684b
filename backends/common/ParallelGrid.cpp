//===- ParallelGrid.cpp - a counter a share -------------------------------------------------------------===//
#include "backends/common/ParallelGrid.h"
#include "core/support/WatchedThreads.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <span>
#include <vector>

namespace trisect {

namespace {
/// What is left of a share is worth so many pieces at least.
constexpr int64_t piecesOfRest = 4;
constexpr size_t lineBytes = 64;

struct alignas(lineBytes) Share {
  std::atomic<int64_t> next{0};
  int64_t end = 0;
  int64_t longest = 1; ///< a piece

  void drain(int64_t least, llvm::function_ref<void(int64_t, int64_t)> body) {
    // Who finds that all is taken knows that who took it has begun (core/support/WatchedThreads.h).
    int64_t begin = next.load(std::memory_order_acquire);
    while (begin < end) {
      int64_t rest = end - begin;
      int64_t length = std::min(rest, std::max(least, std::min(longest, rest / piecesOfRest)));
      if (!next.compare_exchange_weak(begin, begin + length, std::memory_order_acq_rel))
        continue;
      body(begin, begin + length);
      begin = next.load(std::memory_order_acquire);
    }
  }
};
} // namespace

void parallelPieces(const Pieces &pieces, unsigned threads, LaunchWatch &watch,
                    llvm::function_ref<void(int64_t, int64_t)> body) {
  if (pieces.total <= 0)
    return;
  int64_t least = std::max<int64_t>(pieces.least, 1);
  threads = static_cast<unsigned>(std::min<int64_t>(threads, (pieces.total + least - 1) / least));
  if (threads <= 1) {
    int64_t length = std::max<int64_t>(least, pieces.total / pieces.ofShare);
    for (int64_t begin = 0; begin < pieces.total; begin += length)
      body(begin, std::min(begin + length, pieces.total));
    return;
  }
  // Memory that is aligned to lines takes the allocator long; a few shares lie on the stack.
  std::array<Share, 8> few;
  std::vector<Share> many(threads > few.size() ? threads : 0);
  std::span<Share> shares(many.empty() ? few.data() : many.data(), threads);
  int64_t length = pieces.total / threads, longer = pieces.total % threads, begin = 0;
  for (Share &share : shares) {
    share.next.store(begin, std::memory_order_relaxed);
    share.end = begin += length + (longer-- > 0 ? 1 : 0);
    share.longest = std::max<int64_t>(1, length / pieces.ofShare);
  }
  onWatchedThreads(static_cast<int>(threads), watch, [&](int index) {
    for (unsigned i = 0; i < threads; ++i)
      shares[(index + i) % threads].drain(least, body);
  });
}

} // namespace trisect
