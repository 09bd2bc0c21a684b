//===- TakeTurns.h - programs that wait for one another -------------------------------------------------===//
//
// What: one launch of a kernel whose loops may wait (Artifact::waits). Each thread takes neighbours of the
// grid and runs each program for a turn; those that wait get further turns, in rounds, between and after the
// others. When every program that is left waits, and a turn of each has shown that it repeats itself since
// memory changed last, no schedule can end the launch: a deadlock fault. Why: a wait must end under every
// order of programs, however few threads there are. Rounds go upwards and downwards in turn: in a chain in
// which each program waits for the next one, one round brings them all to their end.
// Limits: a change of memory from outside of the launch is not counted.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_LAUNCH_TAKETURNS_H
#define TRISECT_BACKENDS_CPU_LAUNCH_TAKETURNS_H

#include "backends/cpu/launch/WaitingProgram.h"
#include "backends/cpu/runtime/Print.h"
#include "core/support/StuckFault.h"
#include <chrono>
#include <exception>
#include <mutex>
#include <optional>

namespace trisect::cpu {

class TakeTurns {
public:
  TakeTurns(const Artifact &artifact, EntryPoint entry, const LaunchRequest &request)
      : code(artifact, entry, request), programs(request.programs()) {}

  /// Throws what fail() does, and deadlock faults.
  void on(unsigned threads);

private:
  using Owned = std::unique_ptr<WaitingProgram>;
  class Worker;

  /// The next programs that have not begun; none at the end.
  ProgramRange take();
  bool turn(WaitingProgram &program);
  void fail(const Failure &failed);
  /// True if the launch goes on; asks the host, on the launching thread.
  bool goesOn();
  void finish();

  LaunchedCode code;
  ProgramRange programs;
  int64_t atOnce = 1; ///< neighbours that a thread takes at a time
  std::atomic<int64_t> next{0};
  std::atomic<uint64_t> memory{1}; ///< counts what may have changed it
  std::atomic<bool> stop{false}, gaveWay{false};
  std::atomic<int64_t> finished{0};
  std::atomic<int64_t> printLeft{printAllowance()};
  LaunchWatch watch;

  std::mutex lock;                  ///< of what follows; never held in a program's turn
  std::vector<uint64_t> stuckSince; ///< by thread: the count of memory at which all its programs are stuck
  bool deadlock = false;
  std::optional<Failure> failure;
  std::exception_ptr error;
  StuckFault stuck;
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_LAUNCH_TAKETURNS_H
