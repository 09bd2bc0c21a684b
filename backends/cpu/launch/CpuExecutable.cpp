//===- CpuExecutable.cpp - launches of compiled code on host threads ------------------------------------===//
#include "backends/cpu/launch/CpuExecutable.h"
#include "backends/common/ParallelGrid.h"
#include "backends/cpu/AssertHook.h"
#include "backends/cpu/launch/Failure.h"
#include "core/support/Arrivals.h"
#include "core/support/Threads.h"
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <optional>

namespace trisect::cpu {

namespace {

/// Launches shorter than this run on the caller's thread alone.
constexpr double serialNanoseconds = 20000;

/// Scratch memory of one thread, grown to the largest kernel that it has run.
class Scratch {
public:
  ~Scratch() { std::free(memory); }
  void *get(int64_t bytes) {
    if (bytes > size) {
      std::free(memory);
      size = 0;
      int64_t whole = (bytes + 4095) / 4096 * 4096;
      memory = std::aligned_alloc(64, static_cast<size_t>(whole));
      if (!memory)
        return nullptr;
      size = whole;
    }
    return memory;
  }

private:
  void *memory = nullptr;
  int64_t size = 0;
};

// Compiled frames hold nothing that must be cleaned up.
void assertionFailed(AssertHook *hook, int64_t assertion, int64_t value, int32_t x, int32_t y, int32_t z) {
  auto *failed = static_cast<Failure *>(hook->context);
  failed->assertion = assertion;
  failed->value = value;
  failed->program = {x, y, z};
  std::longjmp(failed->back, 1);
}

/// UBSan looks for a type in front of a function that is called; compiled kernels have none there.
#ifdef __clang__
__attribute__((no_sanitize("function")))
#endif
void enter(EntryPoint entry, const uint64_t *args, const int32_t *grid, int64_t begin, int64_t end,
           void *scratch) {
  entry(args, grid, begin, end, scratch);
}

/// One launch, seen by all threads that take part.
class Run {
public:
  Run(const Artifact &artifact, EntryPoint entry, const LaunchRequest &request)
      : artifact(artifact), entry(entry), request(request), programs(request.programs()),
        sizes{request.grid.x, request.grid.y, request.grid.z} {}

  /// Returns the time that it took.
  std::chrono::duration<double, std::nano> on(unsigned threads) {
    int64_t chunk = std::max<int64_t>(1, programs.count / (threads * 8));
    int count = static_cast<int>((programs.count + chunk - 1) / chunk);
    Arrivals pieces;
    auto body = [&](int64_t begin, int64_t end) {
      if (!stop.load(std::memory_order_relaxed))
        runPiece(programs.first + begin, programs.first + end);
      pieces.arrive();
    };
    auto started = std::chrono::steady_clock::now();
    parallelChunks(programs.count, chunk, threads, body, [&] {
      // Only this thread may ask the host whether to stop.
      while (!pieces.await(count))
        watch.look();
    });
    auto took = std::chrono::steady_clock::now() - started;
    if (failure)
      fail(*failure, {artifact, request.grid, programs.count, finished,
                      artifact.resources.scratchBytes * threads, watch});
    return took;
  }

private:
  void runPiece(int64_t begin, int64_t end) {
    thread_local Scratch scratch;
    int64_t bytes = artifact.resources.scratchBytes;
    void *memory = scratch.get(bytes);
    Failure failed;
    failed.begin = begin;
    failed.end = end;
    failed.noScratch = bytes > 0 && !memory;
    failed.guard = guardedUntil(LaunchWatch::shallLeave, &watch, [&] {
      if (failed.noScratch)
        return;
      if (memory)
        *static_cast<AssertHook *>(memory) = {assertionFailed, &failed, laneFunctions(), printOperands,
                                              &printLeft};
      if (setjmp(failed.back) == 0)
        enter(entry, request.args.data(), sizes, begin, end, memory);
    });
    if (!failed.guard.wild && !failed.guard.left && !failed.noScratch && failed.assertion < 0) {
      finished.fetch_add(end - begin, std::memory_order_relaxed);
      return;
    }
    stop.store(true, std::memory_order_relaxed);
    std::lock_guard guard(lock);
    // What a kernel does wrong goes before an order from outside.
    if (!failure || failure->guard.left)
      failure = failed;
  }

  const Artifact &artifact;
  EntryPoint entry;
  const LaunchRequest &request;
  ProgramRange programs;
  int32_t sizes[3];
  std::mutex lock;
  std::optional<Failure> failure;
  std::atomic<bool> stop{false};
  std::atomic<int64_t> finished{0};
  std::atomic<int64_t> printLeft{printBudget};
  LaunchWatch watch;
};

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
  checkScratch(*artifact, artifact->resources.scratchBytes * threads);
  auto took = Run(*artifact, reinterpret_cast<EntryPoint>(object->address()), request).on(threads);
  nanosecondsPerProgram.store(took.count() * static_cast<double>(std::min<int64_t>(threads, programs)) /
                                  static_cast<double>(programs),
                              std::memory_order_relaxed);
}

} // namespace trisect::cpu
