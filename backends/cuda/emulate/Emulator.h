//===- Emulator.h - a grid of blocks on the host --------------------------------------------------------===//
//
// What: runs compiled code of HostMachine, each thread of a block a fibre, several blocks side by side, in an
// order that a seed chooses. Finds races on shared and global memory, barriers that not all threads meet,
// what is released or acquired by one thread and not by its block, shuffles from lanes that are not there,
// and accesses outside of either memory. Why: what a GPU leaves to chance is here made to happen, without a
// GPU. Limits: one host thread. A switch happens where threads meet and at atomic accesses; a loop that
// touches no memory and meets nobody cannot be stopped.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMULATE_EMULATOR_H
#define TRISECT_BACKENDS_CUDA_EMULATE_EMULATOR_H

#include "backends/common/Fiber.h"
#include "backends/cuda/emulate/GlobalMemory.h"
#include "backends/cuda/emulate/SharedMemory.h"
#include "core/support/Launch.h"
#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace trisect::cuda {

/// As the device gets it behind the arguments.
struct LaunchWords {
  int32_t first[3] = {0, 0, 0};
  int32_t grid[3] = {1, 1, 1};
  uint64_t record = 0;
  uint32_t apart = 0;
};

/// The code of a kernel: `context` is its thread.
using HostEntry = void (*)(void *context, const uint64_t *arguments, const LaunchWords *launch);

struct EmulatorOptions {
  unsigned warps = 4;
  int64_t sharedBytes = 0;
  uint64_t seed = 0;
  unsigned blocksAtOnce = 4;
  std::function<bool()> shallStop; ///< asked now and then
  GlobalMemory *memory = nullptr;  ///< that is watched; null: any may be touched
};

class EmulatedBlock;

/// What a thread copies to shared memory, until it has waited for it.
struct CopyUnderWay {
  static constexpr uint32_t mostBytes = 16;
  uint32_t shared = 0;
  uint32_t bytes = 0;
  std::array<uint8_t, mostBytes> data{};
};

/// How a meeting of a warp or block is told from another one: the instruction's number.
struct Meeting {
  uint32_t site = 0;
  uint32_t arrived = 0; ///< threads of the block, or a mask of lanes
};

struct EmulatedThread {
  enum class State : uint8_t { Ready, AtBarrier, AtWarp, Done };

  EmulatedThread(EmulatedBlock &block, uint32_t id);

  /// The numbers of operations since the block last met.
  struct SinceMeeting {
    uint32_t epoch = 0;
    uint32_t firstTouch = ~0u, lastTouch = 0; ///< that touched global memory
    uint32_t lastRelease = 0, firstAcquire = ~0u;
  };

  EmulatedBlock &block;
  uint32_t id;
  uint32_t operation = 0; ///< of those that touch global memory, how many it has begun
  State state = State::Ready;
  SinceMeeting sinceMeeting;
  std::vector<CopyUnderWay> openCopies;         ///< of no group yet
  std::deque<std::vector<CopyUnderWay>> copies; ///< in groups, the oldest first
  Fiber fiber;
  uint32_t lane() const { return id % 32; }
  /// Ends the run if the access is not allowed.
  void touchGlobal(GlobalMemory::Access access, uint64_t address, uint32_t bytes);
  /// The atomic access that follows is one of these.
  void order(bool acquires, bool releases);
  SinceMeeting &sinceMet();
};

struct EmulatedWarp {
  Meeting meeting;
  uint32_t present = ~0u; ///< lanes that have not ended
  uint32_t epoch = 1;     ///< barriers of the warp
  /// What each lane brought, and takes away.
  std::array<std::vector<uint64_t>, 32> brought, taken;
};

class Emulator;

class EmulatedBlock {
public:
  EmulatedBlock(Emulator &emulator, std::array<int32_t, 3> program);

  Emulator &emulator;
  std::array<int32_t, 3> program;
  WatchedMemory shared;
  Meeting barrier;
  uint32_t epoch = 1;
  uint32_t vote = 0;    ///< what threads that wait at a barrier have brought
  uint32_t verdict = 0; ///< all of the last meeting; the next one cannot end before all have read it
  uint32_t ordered = 0; ///< the epoch in which an access acquired or released last
  uint32_t running;
  std::vector<EmulatedWarp> warps;
  std::vector<std::unique_ptr<EmulatedThread>> threads;

  EmulatedWarp &warpOf(const EmulatedThread &thread) { return warps[thread.id / 32]; }
  Moment now(const EmulatedThread &thread) { return {thread.id, epoch, warpOf(thread).epoch}; }
};

class Emulator {
public:
  Emulator(HostEntry entry, EmulatorOptions options, const uint64_t *arguments, const LaunchWords &launch);
  ~Emulator();

  /// Runs all programs of the grid. Throws EngineError if the code breaks a rule of the machine.
  void run();
  /// True if shallStop() ended the run before its time.
  bool stopped() const { return interrupted; }

  // What the functions that code calls ask for; they run in a fibre.
  void waitForBlock(EmulatedThread &thread, uint32_t site);
  /// Meets the other lanes of the warp; `together` runs once all have come.
  void waitForWarp(EmulatedThread &thread, uint32_t site,
                   const std::function<void(EmulatedWarp &)> &together);
  /// Lets others run.
  void yield(EmulatedThread &thread);
  void endThread(EmulatedThread &thread);
  /// The code breaks a rule: nothing runs any more.
  [[noreturn]] void fail(EmulatedThread &thread, const std::string &problem);
  void check(EmulatedThread &thread, const std::optional<std::string> &problem) {
    if (problem)
      fail(thread, *problem);
  }
  const EmulatorOptions &settings() const { return options; }
  /// Of this host thread: the next run takes what this one gives back.
  static StackPool &stacks();

private:
  friend struct EmulatedThread;
  static void threadBody(void *thread);
  void startBlock(int64_t linear);
  void wake(EmulatedThread &thread);
  EmulatedThread *pick();
  std::string whoWaits() const;

  HostEntry entry;
  EmulatorOptions options;
  const uint64_t *arguments;
  LaunchWords launch;
  std::mt19937_64 random;
  std::vector<std::unique_ptr<EmulatedBlock>> blocks;
  std::vector<EmulatedThread *> ready;
  std::string problem;
  bool interrupted = false;
  uint64_t touches = 0; ///< of global memory
};

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMULATE_EMULATOR_H
