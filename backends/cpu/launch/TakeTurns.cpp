//===- TakeTurns.cpp - threads, rounds and deadlocks ----------------------------------------------------===//
#include "backends/cpu/launch/TakeTurns.h"
#include "backends/target/PathWatch.h"
#include "core/support/AtomicsGate.h"
#include "core/support/PerThread.h"
#include "core/support/WatchedThreads.h"
#include <algorithm>
#include <sched.h>

namespace trisect::cpu {

namespace {
constexpr int64_t sharesPerThread = 8, mostAtOnce = 64;
constexpr size_t waitersPerTurn = 8; ///< while programs begin, one that waits gets a turn for so many waiters
constexpr size_t mostStacksKept = 64;
constexpr uint64_t busy = 0, retired = ~uint64_t(0);
} // namespace

/// The programs of one thread.
class TakeTurns::Worker {
public:
  explicit Worker(TakeTurns &launch) : launch(launch) {
    std::lock_guard guard(launch.lock);
    number = launch.stuckSince.size();
    launch.stuckSince.push_back(busy);
  }

  ~Worker() {
    std::lock_guard guard(launch.lock);
    launch.stuckSince[number] = retired;
    for (const Owned &each : waiting)
      launch.stuck.add(each->standing());
  }

  void run() {
    for (ProgramRange some = launch.take(); some.count > 0; some = launch.take())
      for (int64_t id = some.first; id < some.first + some.count; ++id) {
        if (!launch.goesOn())
          return;
        begin(id);
        if (++begun * waitersPerTurn > waiting.size()) { // else each new one would cost a turn of all
          round();
          begun = 0;
        }
      }
    while (!waiting.empty() && launch.goesOn()) {
      uint64_t before = launch.memory.load();
      if (round())
        continue;
      look(before);
      sched_yield();
    }
  }

private:
  void begin(int64_t id) {
    Owned program =
        spare ? std::move(spare) : std::make_unique<WaitingProgram>(stacks(), launch.code, launch.printLeft);
    program->start(id);
    if (launch.turn(*program))
      spare = std::move(program);
    else {
      launch.gaveWay.store(true, std::memory_order_relaxed);
      waiting.push_back(std::move(program));
    }
  }

  /// A turn for each program that waits; false if all are stuck.
  bool round() {
    uint64_t before = launch.memory.load();
    bool progress = false;
    auto take = [&](Owned &program) {
      if (launch.stop.load(std::memory_order_relaxed))
        return;
      if (launch.turn(*program)) {
        spare = std::move(program);
        progress = true;
      } else {
        progress |= !program->isStuck(before);
      }
    };
    if (upwards)
      std::for_each(waiting.begin(), waiting.end(), take);
    else
      std::for_each(waiting.rbegin(), waiting.rend(), take);
    upwards = !upwards;
    std::erase(waiting, nullptr);
    return progress;
  }

  /// All programs of this thread are stuck, and none is to begin: whether that holds for all threads.
  void look(uint64_t since) {
    std::lock_guard guard(launch.lock);
    launch.stuckSince[number] = since;
    uint64_t now = launch.memory.load();
    bool all = std::all_of(launch.stuckSince.begin(), launch.stuckSince.end(),
                           [&](uint64_t each) { return each == now || each == retired; });
    if (all && launch.next.load() >= launch.programs.count && !launch.stop) {
      launch.deadlock = true;
      launch.stop = true;
    }
  }

  static StackPool &stacks() {
    struct Kept : StackPool {
      Kept() : StackPool(mostStacksKept) {}
    };
    static constinit PerThread<Kept> pools;
    return pools.get();
  }

  TakeTurns &launch;
  size_t number = 0, begun = 0;
  std::vector<Owned> waiting; ///< in the order of their ids
  Owned spare;
  bool upwards = false;
};

void TakeTurns::on(unsigned threads) {
  threads = static_cast<unsigned>(std::min<int64_t>(threads, programs.count));
  atOnce = std::clamp<int64_t>(programs.count / (threads * sharesPerThread), 1, mostAtOnce);
  blockmemory::readLimit();
  AtomicsStay stay(AtomicsStay::Kind::Shared, watch);
  onWatchedThreads(static_cast<int>(threads), watch, [&](int) {
    try {
      Worker(*this).run();
    } catch (...) {
      std::lock_guard guard(lock);
      stop = true;
      if (!error)
        error = std::current_exception();
    }
  });
  if (PathWatch *paths = PathWatch::current(); paths && gaveWay)
    paths->gaveWay();
  finish();
}

ProgramRange TakeTurns::take() {
  int64_t begin = next.fetch_add(atOnce);
  return {programs.first + begin, std::clamp<int64_t>(programs.count - begin, 0, atOnce)};
}

/// True if the program has come to its end.
bool TakeTurns::turn(WaitingProgram &program) {
  uint64_t before = memory.load();
  Failure failed;
  failed.begin = program.id();
  failed.end = program.id() + 1;
  failed.guard = guardedUntil(LaunchWatch::shallLeave, &watch, [&] { program.turn(failed); });
  if (failed.happened()) {
    failed.noStack = program.overflowed(failed.guard);
    fail(failed);
    return false;
  }
  if (program.ended())
    finished.fetch_add(1, std::memory_order_relaxed);
  if (program.ended() || program.note(before))
    memory.fetch_add(1);
  return program.ended();
}

void TakeTurns::fail(const Failure &failed) {
  std::lock_guard guard(lock);
  keepFirst(failure, failed);
  stop = true;
}

bool TakeTurns::goesOn() {
  if (stop.load(std::memory_order_relaxed))
    return false;
  if (!watch.attention().load(std::memory_order_relaxed) || watch.look() == LaunchWatch::Order::GoOn)
    return true;
  Failure failed;
  failed.guard.left = true;
  fail(failed);
  return false;
}

void TakeTurns::finish() {
  if (failure && (!failure->guard.left || watch.ordered() == LaunchWatch::Order::Interrupt))
    cpu::fail(*failure, {code.artifact, code.request.grid, programs.count, finished, 0, watch});
  if (error)
    std::rethrow_exception(error);
  if (failure)
    throw stuck.timeout(code.artifact.kernel, watch.limit().value_or(0), finished, programs.count);
  if (deadlock)
    throw stuck.deadlock(code.artifact.kernel);
}

} // namespace trisect::cpu
