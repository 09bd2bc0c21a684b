//===- AloneOrShared.cpp - whether a launch runs on one thread or on all --------------------------------===//
#include "backends/cpu/launch/AloneOrShared.h"
#include <algorithm>

namespace trisect::cpu {

namespace {
constexpr int firstTrial = 16, rarestTrial = 4096;
/// The first of them find other caches cold, and threads asleep.
constexpr int launchesOfTrial = 4;
/// By how much a time that is known grows at most with one launch: something else may have run then.
constexpr double growth = 1.05;
} // namespace

bool AloneOrShared::isAloneFaster() const {
  double alone = alonePerProgram.load(std::memory_order_relaxed);
  return alone >= 0 && alone < sharedPerProgram.load(std::memory_order_relaxed);
}

bool AloneOrShared::choosesAlone(int64_t programs, unsigned threads, double most) {
  double shared = sharedPerProgram.load(std::memory_order_relaxed);
  // What threads do in some time, one does in at most as many times as much.
  if (shared < 0 || shared * static_cast<double>(programs) * threads > most)
    return false;
  if (int left = leftOfTrial.load(std::memory_order_relaxed); left > 0) {
    leftOfTrial.store(left - 1, std::memory_order_relaxed);
    return triesAlone.load(std::memory_order_relaxed);
  }
  bool best = isAloneFaster();
  int trial = untilTrial.load(std::memory_order_relaxed);
  if (sinceTrial.fetch_add(1, std::memory_order_relaxed) < trial)
    return best;
  sinceTrial.store(0, std::memory_order_relaxed);
  untilTrial.store(std::clamp(2 * trial, firstTrial, rarestTrial), std::memory_order_relaxed);
  triesAlone.store(!best, std::memory_order_relaxed);
  leftOfTrial.store(launchesOfTrial - 1, std::memory_order_relaxed);
  return !best;
}

void AloneOrShared::ran(bool alone, int64_t programs, double nanoseconds) {
  bool before = isAloneFaster();
  std::atomic<double> &known = alone ? alonePerProgram : sharedPerProgram;
  double now = nanoseconds / static_cast<double>(programs), last = known.load(std::memory_order_relaxed);
  known.store(last < 0 ? now : std::min(now, last * growth), std::memory_order_relaxed);
  if (isAloneFaster() != before)
    untilTrial.store(firstTrial, std::memory_order_relaxed);
}

} // namespace trisect::cpu
