//===- Emulator.cpp - a grid of blocks on the host ------------------------------------------------------===//
#include "backends/cuda/emulate/Emulator.h"
#include "core/support/Outcome.h"
#include "core/support/PerThread.h"
#include <algorithm>

namespace trisect::cuda {

namespace {
/// Those of some blocks; a stack that is kept costs the pages that were touched.
constexpr size_t mostStacks = 1 << 12;
struct ThreadStacks : StackPool {
  ThreadStacks() : StackPool(mostStacks) {}
};
constinit PerThread<ThreadStacks> threadStacks;
} // namespace

StackPool &Emulator::stacks() { return threadStacks.get(); }

EmulatedThread::EmulatedThread(EmulatedBlock &block, uint32_t id)
    : block(block), id(id), fiber(block.emulator.stacks(), Emulator::threadBody, this) {}

EmulatedThread::SinceMeeting &EmulatedThread::sinceMet() {
  if (sinceMeeting.epoch != block.epoch)
    sinceMeeting = {.epoch = block.epoch};
  return sinceMeeting;
}

void EmulatedThread::order(bool acquires, bool releases) {
  SinceMeeting &mine = sinceMet();
  block.ordered = block.epoch;
  if (releases)
    mine.lastRelease = std::max(mine.lastRelease, operation);
  if (acquires)
    mine.firstAcquire = std::min(mine.firstAcquire, operation);
  for (auto &other : block.threads) {
    if (other.get() == this)
      continue;
    const SinceMeeting &theirs = other->sinceMet();
    if (releases && theirs.firstTouch < operation)
      block.emulator.fail(*this, "an atomic access releases what thread " + std::to_string(other->id) +
                                     " has touched, with no barrier between");
    if (acquires && theirs.lastTouch > operation)
      block.emulator.fail(*this, "an atomic access acquires for thread " + std::to_string(other->id) +
                                     ", which is beyond it: no barrier follows");
  }
}

void EmulatedThread::touchGlobal(GlobalMemory::Access access, uint64_t address, uint32_t bytes) {
  Emulator &emulator = block.emulator;
  SinceMeeting &mine = sinceMet();
  mine.firstTouch = std::min(mine.firstTouch, operation);
  mine.lastTouch = std::max(mine.lastTouch, operation);
  if (block.ordered == block.epoch)
    for (auto &other : block.threads) {
      const SinceMeeting &theirs = other->sinceMet();
      if (other.get() != this && (theirs.lastRelease > operation || theirs.firstAcquire < operation))
        emulator.fail(*this, "no barrier lies between an access and the atomic access of thread " +
                                 std::to_string(other->id) + " that releases or acquires it");
    }
  const EmulatorOptions &options = emulator.options;
  constexpr uint64_t between = 1 << 16;
  if (++emulator.touches % between == 0 && options.shallStop && options.shallStop())
    emulator.fail(*this, "stopped before all programs had ended");
  if (options.memory) {
    const auto &[x, y, z] = block.program;
    int64_t program = x + int64_t(emulator.launch.grid[0]) * (y + int64_t(emulator.launch.grid[1]) * z);
    emulator.check(*this,
                   options.memory->touch(access, address, bytes, {program, operation, block.now(*this)}));
  }
}

EmulatedBlock::EmulatedBlock(Emulator &emulator, std::array<int32_t, 3> program)
    : emulator(emulator), program(program), shared(emulator.settings().sharedBytes),
      running(emulator.settings().warps * 32), warps(emulator.settings().warps) {
  for (uint32_t id = 0; id < running; ++id)
    threads.push_back(std::make_unique<EmulatedThread>(*this, id));
}

Emulator::Emulator(HostEntry entry, EmulatorOptions options, const uint64_t *arguments,
                   const LaunchWords &launch)
    : entry(entry), options(std::move(options)), arguments(arguments), launch(launch),
      random(this->options.seed) {}

Emulator::~Emulator() = default;

/// UBSan looks for a type in front of a function that is called; compiled kernels have none there.
#ifdef __clang__
__attribute__((no_sanitize("function")))
#endif
void Emulator::threadBody(void *argument) {
  auto &thread = *static_cast<EmulatedThread *>(argument);
  Emulator &self = thread.block.emulator;
  self.entry(&thread, self.arguments, &self.launch);
  self.endThread(thread);
}

void Emulator::startBlock(int64_t linear) {
  std::array<int32_t, 3> program = {static_cast<int32_t>(linear % launch.grid[0]),
                                    static_cast<int32_t>(linear / launch.grid[0] % launch.grid[1]),
                                    static_cast<int32_t>(linear / launch.grid[0] / launch.grid[1])};
  blocks.push_back(std::make_unique<EmulatedBlock>(*this, program));
  for (auto &thread : blocks.back()->threads)
    ready.push_back(thread.get());
}

// Seed 0 runs threads in turn; another one draws.
EmulatedThread *Emulator::pick() {
  size_t at = options.seed ? random() % ready.size() : 0;
  EmulatedThread *thread = ready[at];
  if (options.seed) {
    ready[at] = ready.back();
    ready.pop_back();
  } else {
    ready.erase(ready.begin());
  }
  return thread;
}

void Emulator::run() {
  int64_t next = 0, programs = int64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2];
  uint64_t switches = 0;
  while (true) {
    while (next < programs && blocks.size() < options.blocksAtOnce)
      startBlock(next++);
    if (blocks.empty())
      return;
    if (ready.empty())
      throw EngineError("cuda emulator: " + whoWaits());
    EmulatedThread *thread = pick();
    thread->fiber.resume();
    if (!problem.empty())
      throw EngineError("cuda emulator: " + problem);
    if (thread->fiber.done() && thread->block.running == 0)
      std::erase_if(blocks, [&](const auto &block) { return block.get() == &thread->block; });
    if (++switches % 1024 == 0 && options.shallStop && options.shallStop()) {
      interrupted = true;
      return;
    }
  }
}

std::string Emulator::whoWaits() const {
  const EmulatedBlock &block = *blocks.front();
  auto count = [&](EmulatedThread::State state) {
    return std::count_if(block.threads.begin(), block.threads.end(),
                         [&](const auto &thread) { return thread->state == state; });
  };
  return "threads wait for ever: of " + std::to_string(block.threads.size()) + " threads of program (" +
         std::to_string(block.program[0]) + ", " + std::to_string(block.program[1]) + ", " +
         std::to_string(block.program[2]) + ") " + std::to_string(count(EmulatedThread::State::AtBarrier)) +
         " wait at a barrier, " + std::to_string(count(EmulatedThread::State::AtWarp)) +
         " for lanes of their warp, " + std::to_string(count(EmulatedThread::State::Done)) + " have ended";
}

void Emulator::wake(EmulatedThread &thread) {
  thread.state = EmulatedThread::State::Ready;
  ready.push_back(&thread);
}

void Emulator::waitForBlock(EmulatedThread &thread, uint32_t site) {
  EmulatedBlock &block = thread.block;
  if (block.barrier.arrived > 0 && block.barrier.site != site)
    fail(thread, "threads of a block meet at different barriers");
  if (block.running != block.threads.size())
    fail(thread, "a barrier that threads which have ended cannot meet");
  block.barrier.site = site;
  if (++block.barrier.arrived < block.threads.size()) {
    thread.state = EmulatedThread::State::AtBarrier;
    thread.fiber.suspend();
    return;
  }
  block.barrier.arrived = 0;
  ++block.epoch;
  block.verdict = block.vote;
  block.vote = 0;
  for (auto &other : block.threads)
    if (other.get() != &thread)
      wake(*other);
  yield(thread);
}

void Emulator::waitForWarp(EmulatedThread &thread, uint32_t site,
                           const std::function<void(EmulatedWarp &)> &together) {
  EmulatedBlock &block = thread.block;
  EmulatedWarp &warp = block.warpOf(thread);
  if (warp.present != ~0u)
    fail(thread, "lanes that have ended are asked to take part in an instruction of their warp");
  if (warp.meeting.arrived && warp.meeting.site != site)
    fail(thread, "lanes of a warp meet at different instructions");
  warp.meeting.site = site;
  warp.meeting.arrived |= 1u << thread.lane();
  if (warp.meeting.arrived != ~0u) {
    thread.state = EmulatedThread::State::AtWarp;
    thread.fiber.suspend();
    return;
  }
  warp.meeting.arrived = 0;
  together(warp);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    EmulatedThread &other = *block.threads[thread.id / 32 * 32 + lane];
    if (&other != &thread)
      wake(other);
  }
  yield(thread);
}

void Emulator::yield(EmulatedThread &thread) {
  wake(thread);
  thread.fiber.suspend();
}

void Emulator::endThread(EmulatedThread &thread) {
  EmulatedBlock &block = thread.block;
  EmulatedWarp &warp = block.warpOf(thread);
  if (block.barrier.arrived > 0 && problem.empty())
    problem = "a thread ends while others of its block wait at a barrier";
  if (warp.meeting.arrived && problem.empty())
    problem = "a lane ends while others of its warp wait for it";
  if ((!thread.copies.empty() || !thread.openCopies.empty()) && problem.empty())
    problem = "a thread ends while its copies to shared memory are under way";
  --block.running;
  warp.present &= ~(1u << thread.lane());
  thread.state = EmulatedThread::State::Done;
  thread.fiber.finish();
}

void Emulator::fail(EmulatedThread &thread, const std::string &text) {
  const auto &[x, y, z] = thread.block.program;
  problem = text + " (thread " + std::to_string(thread.id) + " of program (" + std::to_string(x) + ", " +
            std::to_string(y) + ", " + std::to_string(z) + "))";
  while (true)
    thread.fiber.suspend();
}

} // namespace trisect::cuda
