//===- CpuExecutable.cpp - launches of compiled code on host threads ------------------------------------===//
#include "backends/cpu/launch/CpuExecutable.h"
#include "backends/cpu/launch/OneLaunch.h"
#include "backends/cpu/launch/PieceLength.h"
#include "backends/cpu/launch/TakeTurns.h"
#include "core/support/Threads.h"
#include <algorithm>
#include <chrono>

namespace trisect::cpu {

namespace {
/// Of launches that may go either way: twice what it takes to wake a thread; with atomics, what a launch may
/// lose now and then.
constexpr double shortNanoseconds = 50000, plainAtomicsNanoseconds = 5e6;
/// Of shorter launches one in so many is timed: the clock takes a hundredth of some.
constexpr double seldomTimedNanoseconds = 20000;
constexpr unsigned timedEvery = 8;
} // namespace

void CpuExecutable::launch(const LaunchRequest &request) {
  int64_t programs = request.programs().count;
  if (programs <= 0)
    return;
  auto started = std::chrono::steady_clock::now();
  installMemoryGuard(started);
  double known = nanosecondsPerProgram.load(std::memory_order_relaxed);
  bool quick = known >= 0 && known * static_cast<double>(programs) < serialNanoseconds;
  unsigned wanted = request.threads;
  unsigned threads = quick ? 1 : wanted ? wanted : static_cast<unsigned>(threadsOfLaunch());
  bool either = threads > 1 && programs > 1 && artifact->waits.empty(), alone = false;
  if (either) {
    bool plain = hasPlainAtomics() && request.atomics == AtomicsForm::Found;
    alone = way.choosesAlone(programs, threads, plain ? plainAtomicsNanoseconds : shortNanoseconds);
    threads = alone ? 1 : threads;
  }
  checkScratch(*artifact, artifact->resources.scratchBytes * threads);
  auto entry = reinterpret_cast<EntryPoint>(object->address());
  bool timed = either || threads > 1 || isTimed(known * static_cast<double>(programs));
  if (!artifact->waits.empty())
    TakeTurns(*artifact, entry, request).on(threads);
  else if (!OneLaunch(*artifact, entry, request).on(threads, leastPiece(known, programs, threads)))
    return;
  if (!timed)
    return;
  std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - started;
  if (either)
    way.ran(alone, programs, took.count());
  nanosecondsPerProgram.store(took.count() * static_cast<double>(std::min<int64_t>(threads, programs)) /
                                  static_cast<double>(programs),
                              std::memory_order_relaxed);
}

bool CpuExecutable::isTimed(double expected) {
  unsigned before = untimed.load(std::memory_order_relaxed);
  bool timed = expected < 0 || expected >= seldomTimedNanoseconds || before + 1 >= timedEvery;
  untimed.store(timed ? 0 : before + 1, std::memory_order_relaxed);
  return timed;
}

} // namespace trisect::cpu
