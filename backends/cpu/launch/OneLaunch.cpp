//===- OneLaunch.cpp - pieces of a grid on threads ------------------------------------------------------===//
#include "backends/cpu/launch/OneLaunch.h"
#include "backends/common/ParallelGrid.h"
#include "backends/cpu/launch/Caches.h"
#include "backends/cpu/launch/KeptRegisters.h"
#include "backends/cpu/launch/OldBytes.h"
#include "backends/cpu/launch/PieceLength.h"
#include "core/support/Mappings.h"
#include "core/support/PerThread.h"
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace trisect::cpu {

namespace {
/// Scratch memory of one thread, grown to the largest kernel that has run on it.
class Scratch {
public:
  ~Scratch() { std::free(memory); }
  void *get(int64_t bytes) {
    if (bytes > size) {
      std::free(memory);
      size = 0;
      launch = 0;
      int64_t whole = (bytes + 4095) / 4096 * 4096;
      memory = std::aligned_alloc(64, static_cast<size_t>(whole));
      if (!memory)
        return nullptr;
      size = whole;
    }
    return memory;
  }
  /// True if the launch has used it before, and no other one since.
  bool isKeptFor(uint64_t number) { return std::exchange(launch, number) == number; }

private:
  void *memory = nullptr;
  int64_t size = 0;
  uint64_t launch = 0;
};

struct ScratchStack {
  std::vector<std::unique_ptr<Scratch>> all;
  size_t used = 0;
};

/// A handler of a signal, or whoever takes what a kernel prints, may launch while a program of this thread is
/// under way: one scratch for each launch within another.
class ScratchOfLaunch {
public:
  ScratchOfLaunch() : stack(ofThread.get()) {
    if (stack.used == stack.all.size())
      stack.all.push_back(std::make_unique<Scratch>());
    own = stack.all[stack.used++].get();
  }
  ~ScratchOfLaunch() { --stack.used; }
  ScratchOfLaunch(const ScratchOfLaunch &) = delete;
  ScratchOfLaunch &operator=(const ScratchOfLaunch &) = delete;
  Scratch *operator->() const { return own; }

private:
  static inline constinit PerThread<ScratchStack> ofThread;
  ScratchStack &stack;
  Scratch *own;
};
} // namespace

bool OneLaunch::on(unsigned threads, int64_t least) {
  ofPiece = stayOfPiece(static_cast<unsigned>(std::min<int64_t>(threads, programs.count)));
  bool shares = code.artifact.atomics != AtomicsUse::None && ofPiece == AtomicsStay::Kind::None;
  AtomicsStay stay(shares ? AtomicsStay::Kind::Shared : AtomicsStay::Kind::None, watch);
  auto body = [&](int64_t begin, int64_t end) {
    if (!stop.load(std::memory_order_relaxed))
      runPiece(programs.first + begin, programs.first + end);
    else
      passOver(programs.first + begin, programs.first + end);
  };
  parallelPieces({programs.count, least, sharedPieces}, threads, watch, body);
  if (failure && failure->atPath)
    return false;
  if (failure)
    fail(*failure, {code.artifact, code.request.grid, programs.count, programs.count - unfinished,
                    code.scratchBytes() * threads, watch});
  return true;
}

// Other processes know nothing of this one's gate.
bool OneLaunch::ownsPlainMemory() const {
  std::vector<uint64_t> addresses;
  for (uint32_t argument : code.artifact.plainArguments)
    addresses.push_back(code.request.args[argument]);
  return arePrivate(addresses);
}

// A launch on one thread leaves the gate between its pieces, so that nobody waits for all of it.
AtomicsStay::Kind OneLaunch::stayOfPiece(unsigned threads) const {
  bool may = code.artifact.atomics == AtomicsUse::OftenPlain && threads == 1 &&
             code.request.atomics == AtomicsForm::Found && ownsPlainMemory();
  return may ? AtomicsStay::Kind::Alone : AtomicsStay::Kind::None;
}

void OneLaunch::passOver(int64_t begin, int64_t end) {
  unfinished.fetch_add(end - begin, std::memory_order_relaxed);
  if (paths)
    paths->leave({begin, end - begin});
}

void OneLaunch::runPiece(int64_t begin, int64_t end) {
  AtomicsStay stay(ofPiece, watch);
  bool plain = stay.isAlone() || code.request.atomics == AtomicsForm::Plain;
  Failure failed;
  failed.begin = begin;
  failed.end = end;
  try {
    runGuarded(failed, plain);
  } catch (const std::bad_alloc &) {
    failed.noScratch = true;
  }
  if (!failed.happened())
    return;
  unfinished.fetch_add(end - begin, std::memory_order_relaxed);
  stop.store(true, std::memory_order_relaxed);
  if (failed.atPath) // programs of a piece run in their order
    paths->leave({failed.program, end - failed.program});
  std::lock_guard guard(lock);
  keepFirst(failure, failed);
}

// Of the whole grid, so that one program that is compared takes the way of the launch.
bool OneLaunch::goesPastCaches() const {
  auto programs = static_cast<double>(code.request.grid.programs());
  return std::ranges::any_of(code.artifact.streamed, [&](const Streamed &stores) {
    int64_t rounds = stores.rounds.empty() ? 1 : valueOf(stores.rounds, code.request);
    auto written = static_cast<double>(stores.bytes) * static_cast<double>(rounds) * programs;
    return written >= static_cast<double>(largestCache());
  });
}

uint64_t OneLaunch::nextNumber() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

void OneLaunch::prepare(AssertHook &hook, Failure &failed, bool kept, OldBytes &old, bool plain) {
  static const Untried untried = untriedKeepingRegisters();
  hook = {assertionFailed, &failed, laneFunctions(), printOperands, &printLeft, {}, untried, {}, kept};
  hook.keep = OldBytes::keep;
  hook.keepLanes = OldBytes::keepLanes;
  hook.old = &old;
  hook.plainAtomics = plain;
  hook.streams = streams;
  hook.keeps = paths && paths->remembers(code.artifact);
  failed.watch = paths;
  if (paths)
    for (size_t path = 0; path < code.artifact.paths.size(); ++path)
      hook.closed[path] = paths->asksAbout(path);
}

/// Throws std::bad_alloc where this thread finds no room for what it owns.
void OneLaunch::runGuarded(Failure &failed, bool plain) {
  int64_t bytes = code.scratchBytes();
  ScratchOfLaunch scratch;
  void *memory = scratch->get(bytes);
  failed.noScratch = bytes > 0 && !memory;
  if (failed.noScratch)
    return;
  bool kept = scratch->isKeptFor(number);
  OldBytes old;
  failed.guard = guardedUntil(LaunchWatch::shallLeave, &watch, [&] {
    if (memory)
      prepare(*static_cast<AssertHook *>(memory), failed, kept, old, plain);
    if (setjmp(failed.back) == 0)
      enter(code, failed.begin, failed.end, memory);
  });
  if (streams)
    finishStreams();
}

} // namespace trisect::cpu
