//===- Threads.cpp - borrowed or own threads ------------------------------------------------------------===//
#include "core/support/Threads.h"
#include "core/support/AddressSpace.h"
#include "core/support/Arrivals.h"
#include "core/support/FloatEnvironment.h"
#include "core/support/ForkGate.h"
#include "core/support/OpenMp.h"
#include "core/support/Options.h"
#include "core/support/OwnThread.h"
#include "core/support/WorkerPool.h"
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <sched.h>
#include <thread>

namespace trisect {

namespace {

const OpenMp *borrowed() {
  const OpenMp *loaded = loadedOpenMp();
  return loaded && (loaded->survivesFork || !isForkedChild()) ? loaded : nullptr;
}

/// What OpenMP was told, or 0. Without a runtime the variable counts alike, so that a launch does not change
/// with what else was imported.
int wantedOfOpenMp() {
  if (const OpenMp *loaded = loadedOpenMp())
    return loaded->maxThreads();
  const char *text = std::getenv("OMP_NUM_THREADS"); // a list, one number a level
  return text ? static_cast<int>(std::clamp(std::strtol(text, nullptr, 10), 0l, 1l << 16)) : 0;
}

/// The most threads that the runtime has given this thread. It keeps them for the next time.
thread_local int given = 0;

// A runtime that finds no room for a thread ends the process. To look takes two calls of the system, as long
// as short launches do: threads that are there need no room. Limits: a runtime that was told to use fewer in
// the meantime may have let some go.
bool mayBorrow(int threads) {
  [[maybe_unused]] static const bool renewed = (inForkedChild([] { given = 0; }), true);
  if (threads <= given)
    return true;
  if (!roomForThreads(threads))
    return false;
  given = threads;
  return true;
}

/// availableThreads() of this tick of the system's coarse clock, a few milliseconds: to ask takes 0.2 us, a
/// twentieth of a short launch.
int recentProcessors() {
  struct Known {
    int64_t tick;
    int processors;
  };
  static thread_local Known known{-1, 0};
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  int64_t tick = now.tv_sec * 1'000'000'000 + now.tv_nsec;
  if (tick != known.tick)
    known = {tick, availableThreads()};
  return known.processors;
}

} // namespace

int availableThreads() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    return std::max(1, CPU_COUNT(&set));
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

int threadsOfLaunch() {
  if (auto wanted = optionInteger(OptionId::Threads); wanted && *wanted > 0)
    return static_cast<int>(*wanted);
  int openMp = wantedOfOpenMp();
  if (openMp == 1)
    return 1;
  int processors = recentProcessors();
  return openMp > 0 ? std::min(openMp, processors) : processors;
}

std::string_view threadRuntime() { return borrowed() ? "openmp" : "own"; }

void onThreads(int threads, void (*work)(void *, int), void *data) {
  if (threads <= 1)
    return work(data, 0);
  const OpenMp *openMp = borrowed();
  if (!openMp || !mayBorrow(threads))
    return WorkerPool::instance().run(threads, work, data);
  struct Shared {
    void (*work)(void *, int);
    void *data;
    const OpenMp &runtime;
    std::thread::id caller = std::this_thread::get_id();
    Arrivals others{};
  } shared{work, data, *openMp};
  openMp->parallel(
      [](void *given) {
        auto *shared = static_cast<Shared *>(given);
        bool first = std::this_thread::get_id() == shared->caller;
        int index = first ? 0 : shared->others.arrive() + 1;
        if (!claimThreadStorage())
          return; // never on the caller's thread, which has it
        FloatEnvironment arithmetic;
        shared->work(shared->data, index);
        // The runtime waits for all of them, and awake: for milliseconds if one is to run on this processor.
        if (first)
          while (!shared->others.await(shared->runtime.numThreads() - 1)) {
          }
      },
      &shared, static_cast<unsigned>(threads), 0);
}

} // namespace trisect
