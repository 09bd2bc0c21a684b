//===- AloneOrShared.h - whether a launch runs on one thread or on all ----------------------------------===//
//
// What: keeps how long a program of a kernel takes on one thread and on all, and chooses the faster way. Why:
// what it takes to call another thread hangs on whose it is and whether it sleeps: a microsecond, or twenty
// and more; and where atomics are much of the work (histograms, sums into rows of a table), threads that lock
// against one another take longer than one thread that need not (AtomicsUse). Limits: of launches alone that
// one thread would end soon. The way that was slower is tried again, for four launches, after 16 and then
// after twice as many each time up to 4,096.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_LAUNCH_ALONEORSHARED_H
#define TRISECT_BACKENDS_CPU_LAUNCH_ALONEORSHARED_H

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
  bool isAloneFaster() const;

  std::atomic<double> alonePerProgram{-1}, sharedPerProgram{-1}; ///< nanoseconds; below 0: not known
  std::atomic<int> sinceTrial{0}, untilTrial{0}, leftOfTrial{0};
  std::atomic<bool> triesAlone{false};
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_LAUNCH_ALONEORSHARED_H
