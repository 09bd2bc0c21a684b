//===- AloneOrShared.cpp - whether a launch runs on one thread or on all --------------------------------===//
#include "backends/cpu/launch/AloneOrShared.h"
#include <algorithm>

namespace trisect::cpu {

namespace {
constexpr int firstTrial = 16, mostTrials = 64, rarestTrial = 4096; ///< launches from one to the next
constexpr double costOfTrials = 0.01;
/// The first of them find other caches cold; threads that have slept come late for some launches more.
constexpr int launchesAlone = 4, launchesShared = 16;
/// By how much a time that is known grows at most with one launch: something else may have run then.
constexpr double growth = 1.05;
/// A trial whose first launches take so many times as long at least is over: nobody is still to wake.
constexpr double hopeless = 3;
/// The usual way is tried against the other one soon where it takes so many times as long.
constexpr double muchSlower = 1.5;

/// Of the way that is not the usual one.
int launchesOfTrial(bool usuallyAlone) { return usuallyAlone ? launchesShared : launchesAlone; }
} // namespace

bool AloneOrShared::choosesAlone(int64_t programs, unsigned threads, double most) {
  double shared = perProgram[false].load(std::memory_order_relaxed);
  // What threads do in some time, one does in at most as many times as much.
  if (shared < 0 || shared * static_cast<double>(programs) * threads > most)
    return false;
  bool usual = usuallyAlone.load(std::memory_order_relaxed);
  int left = leftOfTrial.load(std::memory_order_relaxed);
  if (left > 0 && !isHopeless(usual, left)) {
    leftOfTrial.store(left - 1, std::memory_order_relaxed);
    return !usual;
  }
  if (left >= 0)
    usual = decide(usual, left);
  int trial = untilTrial.load(std::memory_order_relaxed);
  int since = sinceTrial.fetch_add(1, std::memory_order_relaxed);
  if (since < trial && (since < firstTrial || !isMuchSlower(usual)))
    return usual;
  inTrial.store(-1, std::memory_order_relaxed);
  takenByTrial.store(0, std::memory_order_relaxed);
  leftOfTrial.store(launchesOfTrial(usual) - 1, std::memory_order_relaxed);
  return !usual;
}

/// At the end of a trial, or when so many launches are left of it.
bool AloneOrShared::decide(bool usual, int left) {
  leftOfTrial.store(-1, std::memory_order_relaxed);
  sinceTrial.store(0, std::memory_order_relaxed);
  untilTrial.store(firstTrial, std::memory_order_relaxed);
  double other = inTrial.load(std::memory_order_relaxed);
  double known = perProgram[usual].load(std::memory_order_relaxed);
  if (other < 0)
    return usual;
  perProgram[!usual].store(other, std::memory_order_relaxed);
  if (other < known) {
    usuallyAlone.store(!usual, std::memory_order_relaxed);
    return !usual;
  }
  double lost = takenByTrial.load(std::memory_order_relaxed) / known - (launchesOfTrial(usual) - left);
  untilTrial.store(static_cast<int>(std::clamp<double>(lost / costOfTrials, mostTrials, rarestTrial)),
                   std::memory_order_relaxed);
  return usual;
}

bool AloneOrShared::isHopeless(bool usual, int left) const {
  return launchesOfTrial(usual) - left >= launchesAlone &&
         inTrial.load(std::memory_order_relaxed) >
             hopeless * perProgram[usual].load(std::memory_order_relaxed);
}

bool AloneOrShared::isMuchSlower(bool usual) const {
  double other = perProgram[!usual].load(std::memory_order_relaxed);
  return other >= 0 && perProgram[usual].load(std::memory_order_relaxed) > muchSlower * other;
}

void AloneOrShared::ran(bool alone, int64_t programs, double nanoseconds) {
  double now = nanoseconds / static_cast<double>(programs);
  if (alone != usuallyAlone.load(std::memory_order_relaxed)) {
    double least = inTrial.load(std::memory_order_relaxed);
    takenByTrial.store(takenByTrial.load(std::memory_order_relaxed) + now, std::memory_order_relaxed);
    return inTrial.store(least < 0 ? now : std::min(now, least), std::memory_order_relaxed);
  }
  double last = perProgram[alone].load(std::memory_order_relaxed);
  perProgram[alone].store(last < 0 ? now : std::min(now, last * growth), std::memory_order_relaxed);
}

} // namespace trisect::cpu
