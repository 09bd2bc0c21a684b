//===- Trust.h - how far a variant is believed ----------------------------------------------------------===//
//
// What: what comparisons have shown of one compiled form, the launches that they speak for, and whether the
// next launch is compared. Why: trust is earned by comparison and ends where it ends; between, a small part
// of the kernel's time goes into comparing more. Limits: a form that was found different is never believed
// again.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_TIERS_TRUST_H
#define TRISECT_JIT_TIERS_TRUST_H

#include "backends/target/PathWatch.h"
#include "core/support/ForkGate.h"
#include "jit/check/Verdict.h"
#include "jit/tiers/Envelope.h"
#include "jit/tiers/Policy.h"
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace trisect::jit {

class Trust {
public:
  enum class Level : uint8_t {
    Untested,
    Trusted,   ///< was found equal
    Undecided, ///< comparisons prove nothing: runs only where it is demanded by name
    Withdrawn, ///< was found different
  };
  /// What to do with a launch.
  enum class Step : uint8_t {
    Run,
    Compare, ///< a sample of it, before it runs
    Spot,    ///< one more program
    Refuse,  ///< tier 0 runs it
  };

  explicit Trust(std::span<const KernelParameter> parameters);

  Step stepFor(const LaunchRequest &request, const Policy &policy) const;
  Level level() const { return now.load(std::memory_order_acquire); }
  /// What a comparison showed, by which paths it went and how long it took; `whole`: a spot comparison takes
  /// as long. Returns the level before.
  Level learn(const Verdict &verdict, const LaunchRequest &request, const PathSet &paths, int64_t nanoseconds,
              bool whole = false);
  /// Of so many paths those that no comparison has gone by. None while nothing is known. Paths on which there
  /// was nothing to see, launch after launch, are among them only when a spot comparison is due.
  PathSet untried(size_t paths) const;
  /// In one launch programs came to these paths whose lanes were all off; comparing them took so long.
  void sawNothingOn(const PathSet &paths, int64_t nanoseconds);
  /// A comparison that was one too many took so long.
  void spentOnNothing(int64_t nanoseconds) { spent.fetch_add(nanoseconds, std::memory_order_relaxed); }

  /// What earlier processes found of the same code.
  void recall(std::span<const TrustRecord> records);
  /// What later processes should know and was not asked for yet; `object` and `verdict` are left to fill in.
  std::optional<TrustRecord> news();

  /// Whether the time of the next launch is to be told to ran().
  bool samplesTime() { return launches.fetch_add(1, std::memory_order_relaxed) % timedEvery == 0; }
  void ran(int64_t nanoseconds) { ranFor.fetch_add(nanoseconds * timedEvery, std::memory_order_relaxed); }
  /// Those of this code so far.
  int64_t launchCount() const { return launches.load(std::memory_order_relaxed); }
  /// Whether a spot comparison is due.
  bool spotIsDue() const;

private:
  static constexpr int64_t timedEvery = 16;
  static constexpr int64_t spotShare = 200; ///< one part in so many of the kernel's time, 0.5 %
  /// Comparisons one after the other in which there was nothing to see; then only one launch in so many of
  /// those that call for one is compared. For paths, launches.
  static constexpr int mostSilent = 16;
  /// Whether a launch that calls for a comparison gets one.
  bool listens() const;

  ForkMutex lock; ///< for changes; launches look without it
  std::atomic<Level> now{Level::Untested};
  std::vector<std::unique_ptr<const Envelope>>
      envelopes; ///< there are few: each is wider than the one before
  std::atomic<const Envelope *> envelope;
  SharedPaths tried, quiet; ///< paths that were compared; those on which there was nothing to see
  std::atomic<int> quietLaunches{0};
  std::atomic<int> silent{0};
  mutable std::atomic<int> passedOver{0}; ///< launches since the last such comparison
  bool hasNews = false;
  std::atomic<int64_t> launches{0}, ranFor{0}, spent{0};
  std::atomic<int64_t> costOfProgram{0}; ///< of a comparison; 0: none was made
};

} // namespace trisect::jit

#endif // TRISECT_JIT_TIERS_TRUST_H
