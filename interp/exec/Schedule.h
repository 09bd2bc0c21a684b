//===- Schedule.h - who runs when -----------------------------------------------------------------------===//
//
// What: hands programs to workers in ascending order, lets a program that waits give way to the others, finds
// waits that no schedule can end, and keeps the first fault. Why: a spin wait on another program must finish
// under every order; a wait for nobody must become a fault. Limits: a program counts as stuck when a whole
// pass of its loop changed neither its own values nor memory, or came back to the values of an earlier pass.
// Rounds of those that wait go upwards and downwards in turn: in a chain in which each program waits for the
// next one, one round brings them all to their end.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_EXEC_SCHEDULE_H
#define TRISECT_INTERP_EXEC_SCHEDULE_H

#include "core/support/LaunchWatch.h"
#include "interp/exec/Instance.h"
#include "interp/exec/RunOptions.h"
#include "interp/exec/StuckPrograms.h"
#include <exception>
#include <mutex>

namespace trisect::interp {

class Riders;

class Schedule {
public:
  /// `riders`: shadow mode, else null.
  Schedule(const Program &program, const LaunchRequest &request, const RunOptions &options,
           LaunchWatch &watch, int workers, Printer &printer, Riders *riders = nullptr);

  /// The share of one worker; never throws.
  void work(int worker);
  /// All programs on this thread, in the order and interleaving of a seed; never throws.
  void workSeeded(uint64_t seed);
  /// Throws what went wrong first.
  void finish();

private:
  using Owned = std::unique_ptr<Instance>;
  struct Waiting {
    Owned instance;
    int64_t position;
  };

  int64_t linearId(int64_t position) const {
    return options.programs.empty() ? position : options.programs[position];
  }
  Owned make();
  void prepare(Instance &instance, int64_t position);
  /// Of one worker.
  struct Share {
    std::vector<Waiting> waiting; ///< in the order of their positions
    Owned spare;
    int64_t done = 0;
    bool upwards = false; ///< where the next round begins
  };
  /// One turn for each program that waits; true if any got on.
  bool round(Share &share);
  /// Runs an instance; true if it came to its end or failed.
  bool turn(Instance &instance, int64_t position, uint64_t budget);
  void fail(int64_t position, std::exception_ptr error);
  /// A worker's programs all had a turn: one got on, or none did since an epoch. When none did in any worker,
  /// and nothing happened since, no schedule can end their waits.
  void noteFruitless(int worker, uint64_t since, bool progress);
  void noteProgress() { epoch.fetch_add(1, std::memory_order_relaxed); }
  void endInTime();
  bool mayGoOn();

  const Program &program;
  const LaunchRequest &request;
  const RunOptions &options;
  Riders *riders;
  LaunchWatch &watch;
  const std::atomic<bool> *interrupt; ///< of the options, else of the watch
  int64_t total;
  int64_t atOnce; ///< neighbours that a worker takes at a time: they touch neighbouring memory
  std::atomic<int64_t> next{0};
  std::atomic<int64_t> limit;      ///< programs from this position on need not start any more
  std::atomic<uint64_t> epoch{1};  ///< counts whatever may end another program's wait
  std::atomic<uint64_t> memory{0}; ///< counts turns that changed it
  std::atomic<bool> deadlock{false};
  std::mutex lock;
  std::vector<uint64_t> fruitless; ///< by worker: the epoch in which none of its programs got on, or busy
  std::exception_ptr error;
  int64_t errorPosition = -1;
  std::atomic<bool> timedOut{false};
  int64_t ended = 0; ///< programs that came to their end
  StuckPrograms stuck;
  Printer &printer;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_EXEC_SCHEDULE_H
