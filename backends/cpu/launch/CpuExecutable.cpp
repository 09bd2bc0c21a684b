//===- CpuExecutable.cpp - launches of compiled code on host threads ------------------------------------===//
#include "backends/cpu/launch/CpuExecutable.h"
#include "backends/cpu/launch/OneLaunch.h"
#include "backends/cpu/launch/PieceLength.h"
#include "backends/cpu/launch/TakeTurns.h"
#include "core/support/Threads.h"
#include <algorithm>

namespace trisect::cpu {

namespace {
/// Of launches that may go either way: twice what it takes to wake a thread; with atomics, what a launch may
/// lose now and then.
constexpr double shortNanoseconds = 50000, plainAtomicsNanoseconds = 5e6;
} // namespace

void CpuExecutable::launch(const LaunchRequest &request) {
  int64_t programs = request.programs().count;
  if (programs <= 0)
    return;
  installMemoryGuard();
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
  auto took = artifact->waits.empty()
                  ? OneLaunch(*artifact, entry, request).on(threads, leastPiece(known, programs, threads))
                  : TakeTurns(*artifact, entry, request).on(threads);
  if (took.count() < 0)
    return;
  if (either)
    way.ran(alone, programs, took.count());
  nanosecondsPerProgram.store(took.count() * static_cast<double>(std::min<int64_t>(threads, programs)) /
                                  static_cast<double>(programs),
                              std::memory_order_relaxed);
}

} // namespace trisect::cpu
