//===- OneLaunch.h - programs that need no other one ----------------------------------------------------===//
//
// What: one launch, seen by all threads that take part: each takes pieces of the grid and runs their programs
// one after the other, with scratch memory of its own. Limits: a program that waits for another one never
// ends here (TakeTurns.h).
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_LAUNCH_ONELAUNCH_H
#define TRISECT_BACKENDS_CPU_LAUNCH_ONELAUNCH_H

#include "backends/cpu/launch/Enter.h"
#include "backends/cpu/runtime/Print.h"
#include "core/support/AtomicsGate.h"
#include <mutex>
#include <optional>

namespace trisect::cpu {

class OneLaunch {
public:
  OneLaunch(const Artifact &artifact, EntryPoint entry, const LaunchRequest &request)
      : code(artifact, entry, request), programs(request.programs()), paths(PathWatch::current()) {}

  /// Each thread takes pieces of the grid: of at least so many programs and of a part of its share at most
  /// (backends/common/ParallelGrid.h). False if it ended before a path. Throws what fail() does.
  bool on(unsigned threads, int64_t least);

private:
  AtomicsStay::Kind stayOfPiece(unsigned threads) const;
  bool ownsPlainMemory() const;
  void passOver(int64_t begin, int64_t end);
  void runPiece(int64_t begin, int64_t end);
  void runGuarded(Failure &failed, bool plain);
  void prepare(AssertHook &hook, Failure &failed, bool kept, OldBytes &old, bool plain);

  bool goesPastCaches() const;
  static uint64_t nextNumber();

  LaunchedCode code;
  ProgramRange programs;
  uint64_t number = nextNumber(); ///< of launches; no two have one
  PathWatch *paths;               ///< null: nobody asks
  bool streams = goesPastCaches();
  std::mutex lock;
  std::optional<Failure> failure;
  std::atomic<bool> stop{false};
  std::atomic<int64_t> unfinished{0}; ///< programs of pieces that failed, or were not begun for that
  std::atomic<int64_t> printLeft{printAllowance()};
  LaunchWatch watch;
  AtomicsStay::Kind ofPiece = AtomicsStay::Kind::None; ///< how a piece stays in the gate
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_LAUNCH_ONELAUNCH_H
