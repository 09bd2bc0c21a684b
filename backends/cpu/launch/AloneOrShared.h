//===- AloneOrShared.h - whether a launch runs on one thread or on all ----------------------------------===//
//
// What: keeps how long a program of a kernel takes on one thread and on all, and chooses the faster way. Why:
// what it takes to call another thread hangs on whose it is and whether it sleeps: a microsecond, or twenty
// and more; and where atomics are much of the work (histograms, sums into rows of a table), threads that lock
// against one another take longer than one thread that need not (AtomicsUse). A launch after one that went
// the other way finds its data in other caches and may take twice as long: so only a trial, of some launches,
// changes the way. Limits: of launches alone that one thread would end soon. Trials come as often as a
// hundredth of the time allows, but 4,096 launches after the last one at the latest; earlier where the usual
// way becomes much slower.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_LAUNCH_ALONEORSHARED_H
#define TRISECT_BACKENDS_CPU_LAUNCH_ALONEORSHARED_H

#include <array>
#include <atomic>
#include <cstdint>

namespace trisect::cpu {

/// Used by several threads at once: then a time may be lost, and nothing else.
class AloneOrShared {
public:
  /// Whether the next launch, of so many programs, goes on one thread instead of `threads`; never if that
  /// might take longer than `most` nanoseconds.
  bool choosesAlone(int64_t programs, unsigned threads, double most);
  /// A launch is over that took so long from begin to end.
  void ran(bool alone, int64_t programs, double nanoseconds);

private:
  bool decide(bool usual, int left);
  bool isHopeless(bool usual, int left) const;
  bool isMuchSlower(bool usual) const;

  /// Nanoseconds of a program, shared and alone, and of the other way in a trial; below 0: not known.
  std::array<std::atomic<double>, 2> perProgram{-1, -1};
  std::atomic<double> inTrial{-1}, takenByTrial{0};
  std::atomic<bool> usuallyAlone{false};
  std::atomic<int> sinceTrial{0}, untilTrial{0};
  std::atomic<int> leftOfTrial{-1}; ///< launches; below 0: there is none
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_LAUNCH_ALONEORSHARED_H
