//===- Functions.cpp - what emulated code calls ---------------------------------------------------------===//
#include "backends/cuda/emulate/Functions.h"
#include "backends/cuda/emit/Machine.h"
#include "backends/cuda/emulate/CopyFunctions.h"
#include "backends/cuda/emulate/Emulator.h"
#include "backends/cuda/emulate/InlineAssembly.h"
#include "backends/cuda/emulate/MmaFunctions.h"
#include <chrono>
#include <cmath>
#include <cstring>
#include <iterator>

namespace trisect::cuda {

namespace {
EmulatedThread &of(void *context) { return *static_cast<EmulatedThread *>(context); }

uint32_t threadId(void *context) { return of(context).id; }
uint32_t blockId(void *context, uint32_t axis) { return of(context).block.program[axis]; }

void nextOperation(void *context) { ++of(context).operation; }

void loadGlobal(void *context, uint64_t address, uint32_t bytes, uint32_t active, void *to) {
  if (!active)
    return;
  of(context).touchGlobal(GlobalMemory::Access::Read, address, bytes);
  std::memcpy(to, reinterpret_cast<const void *>(address), bytes);
}

void storeGlobal(void *context, uint64_t address, uint32_t bytes, uint32_t active, const void *from) {
  if (!active)
    return;
  of(context).touchGlobal(GlobalMemory::Access::Write, address, bytes);
  std::memcpy(reinterpret_cast<void *>(address), from, bytes);
}

void loadShared(void *context, uint32_t address, uint32_t bytes, uint32_t active, void *to) {
  EmulatedThread &thread = of(context);
  if (active)
    thread.block.emulator.check(thread, thread.block.shared.touch(WatchedMemory::Access::Read, address, to,
                                                                  bytes, thread.block.now(thread)));
}

void storeShared(void *context, uint32_t address, uint32_t bytes, uint32_t active, void *from) {
  EmulatedThread &thread = of(context);
  if (active)
    thread.block.emulator.check(thread, thread.block.shared.touch(WatchedMemory::Access::Write, address, from,
                                                                  bytes, thread.block.now(thread)));
}

void atomicAddShared(void *context, uint32_t address, uint32_t amount, uint32_t active) {
  EmulatedThread &thread = of(context);
  if (active)
    thread.block.emulator.check(thread,
                                thread.block.shared.addAtomically(address, amount, thread.block.now(thread)));
}

uint64_t readBits(uint64_t address, uint32_t bytes) {
  uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void *>(address), bytes);
  return value;
}

void writeBits(uint64_t address, uint32_t bytes, uint64_t value) {
  std::memcpy(reinterpret_cast<void *>(address), &value, bytes);
}

int64_t extended(uint64_t value, uint32_t bytes) {
  unsigned shift = 64 - 8 * bytes;
  return static_cast<int64_t>(value << shift) >> shift;
}

uint64_t addFloats(uint64_t old, uint64_t value, uint32_t bytes) {
  if (bytes == sizeof(float)) {
    float a, b;
    std::memcpy(&a, &old, sizeof(a));
    std::memcpy(&b, &value, sizeof(b));
    a += b;
    uint64_t bits = 0;
    std::memcpy(&bits, &a, sizeof(a));
    return bits;
  }
  double a, b;
  std::memcpy(&a, &old, sizeof(a));
  std::memcpy(&b, &value, sizeof(b));
  a += b;
  uint64_t bits;
  std::memcpy(&bits, &a, sizeof(a));
  return bits;
}

uint64_t updated(AtomicKind kind, uint64_t old, uint64_t value, uint32_t bytes) {
  int64_t a = extended(old, bytes), b = extended(value, bytes);
  switch (kind) {
  case AtomicKind::And:
    return old & value;
  case AtomicKind::Or:
    return old | value;
  case AtomicKind::Xor:
    return old ^ value;
  case AtomicKind::Add:
    return old + value;
  case AtomicKind::FAdd:
    return addFloats(old, value, bytes);
  case AtomicKind::Max:
    return a > b ? old : value;
  case AtomicKind::Min:
    return a < b ? old : value;
  case AtomicKind::UMax:
    return old > value ? old : value;
  case AtomicKind::UMin:
    return old < value ? old : value;
  case AtomicKind::Exch:
    return value;
  case AtomicKind::Inc:
    return old >= value ? 0 : old + 1;
  case AtomicKind::Dec:
    return old == 0 || old > value ? value : old - 1;
  }
  return value;
}

// Others run before every atomic access, so that all orders happen.
bool enterAtomic(void *context, GlobalMemory::Access access, uint64_t address, uint32_t bytes,
                 uint32_t active) {
  EmulatedThread &thread = of(context);
  thread.block.emulator.yield(thread);
  if (active)
    thread.touchGlobal(access, address, bytes);
  return active;
}

void order(void *context, uint32_t acquires, uint32_t releases, uint32_t active) {
  if (active)
    of(context).order(acquires, releases);
}

void changeAtomically(void *context, uint64_t address, uint32_t bytes, uint64_t value) {
  GlobalMemory *memory = of(context).block.emulator.settings().memory;
  uint64_t old = readBits(address, bytes);
  writeBits(address, bytes, value);
  if (memory && readBits(address, bytes) != old)
    memory->changed(address, bytes);
}

uint64_t atomicRmw(void *context, uint32_t kind, uint64_t address, uint32_t bytes, uint64_t value,
                   uint32_t active) {
  if (!enterAtomic(context, GlobalMemory::Access::Atomic, address, bytes, active))
    return 0;
  uint64_t old = readBits(address, bytes);
  changeAtomically(context, address, bytes, updated(static_cast<AtomicKind>(kind), old, value, bytes));
  return old;
}

uint64_t atomicCas(void *context, uint64_t address, uint32_t bytes, uint64_t expected, uint64_t desired,
                   uint32_t active) {
  if (!enterAtomic(context, GlobalMemory::Access::Read, address, bytes, active))
    return 0;
  uint64_t old = readBits(address, bytes);
  if (old != expected)
    return old;
  of(context).touchGlobal(GlobalMemory::Access::Atomic, address, bytes);
  changeAtomically(context, address, bytes, desired);
  return old;
}

uint64_t atomicLoad(void *context, uint64_t address, uint32_t bytes, uint32_t active) {
  return enterAtomic(context, GlobalMemory::Access::Read, address, bytes, active) ? readBits(address, bytes)
                                                                                  : 0;
}

void atomicStore(void *context, uint64_t address, uint32_t bytes, uint64_t value, uint32_t active) {
  if (enterAtomic(context, GlobalMemory::Access::Write, address, bytes, active))
    writeBits(address, bytes, value);
}

void barrier(void *context, uint32_t site) {
  EmulatedThread &thread = of(context);
  thread.block.emulator.waitForBlock(thread, site);
}

void barrierIf(void *context, uint32_t site, uint32_t condition) {
  if (condition)
    barrier(context, site);
}

uint32_t anyInBlock(void *context, uint32_t site, uint32_t bit) {
  EmulatedThread &thread = of(context);
  thread.block.vote |= bit;
  thread.block.emulator.waitForBlock(thread, site);
  return thread.block.verdict;
}

void warpBarrier(void *context, uint32_t site) {
  EmulatedThread &thread = of(context);
  thread.block.emulator.waitForWarp(thread, site, [](EmulatedWarp &warp) { ++warp.epoch; });
}

// By the definition of shfl.sync with all lanes in one segment.
uint32_t sourceLane(Shuffle kind, uint32_t lane, uint32_t operand) {
  switch (kind) {
  case Shuffle::Up:
    return operand <= lane ? lane - operand : lane;
  case Shuffle::Down:
    return lane + operand < 32 ? lane + operand : lane;
  case Shuffle::Butterfly:
    return (lane ^ operand) & 31;
  case Shuffle::Index:
    return operand & 31;
  }
  return lane;
}

uint32_t shuffle(void *context, uint32_t site, uint32_t kind, uint32_t value, uint32_t operand) {
  EmulatedThread &thread = of(context);
  EmulatedWarp &warp = thread.block.warpOf(thread);
  warp.brought[thread.lane()] = {value, operand};
  thread.block.emulator.waitForWarp(thread, site, [kind](EmulatedWarp &warp) {
    for (uint32_t lane = 0; lane < 32; ++lane) {
      uint32_t from =
          sourceLane(static_cast<Shuffle>(kind), lane, static_cast<uint32_t>(warp.brought[lane][1]));
      warp.taken[lane] = {warp.brought[from][0]};
    }
  });
  return static_cast<uint32_t>(warp.taken[thread.lane()][0]);
}

// words: a, b, c as 64-bit words; the sums come back where c was.
void mma(void *context, uint32_t site, uint32_t kind, uint64_t *words) {
  EmulatedThread &thread = of(context);
  EmulatedWarp &warp = thread.block.warpOf(thread);
  MmaCounts counts = mmaCounts(static_cast<MmaKind>(kind));
  warp.brought[thread.lane()].assign(words, words + counts.a + counts.b + counts.c);
  thread.block.emulator.waitForWarp(thread, site, [kind](EmulatedWarp &warp) {
    multiply(static_cast<MmaKind>(kind), warp.brought, warp.taken);
  });
  std::copy_n(warp.taken[thread.lane()].begin(), counts.c, words + counts.a + counts.b);
}

float approximate(uint32_t what, float x, float y) {
  switch (static_cast<Approximation>(what)) {
  case Approximation::Exp2:
    return std::exp2(x);
  case Approximation::Log2:
    return std::log2(x);
  case Approximation::Reciprocal:
    return 1.0f / x;
  case Approximation::ReciprocalSqrt:
    return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x)));
  case Approximation::Sqrt:
    return std::sqrt(x);
  case Approximation::Sin:
    return std::sin(x);
  case Approximation::Cos:
    return std::cos(x);
  case Approximation::Tanh:
    return std::tanh(x);
  case Approximation::Divide:
    return x / y;
  }
  return x;
}

void runAssembly(void *, uint64_t text, const uint64_t *inputs, uint64_t *outputs) {
  reinterpret_cast<const InlineAssembly *>(text)->run(inputs, outputs);
}

uint64_t nanoseconds(void *context) {
  EmulatedThread &thread = of(context);
  thread.block.emulator.yield(thread);
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

void exitThread(void *context) {
  EmulatedThread &thread = of(context);
  thread.block.emulator.endThread(thread);
}

struct Entry {
  std::string_view name;
  void *address;
};

template <class F> void *address(F *function) { return reinterpret_cast<void *>(function); }
} // namespace

void *emulatorFunction(std::string_view name) {
  static const Entry table[] = {
      {"threadId", address(threadId)},
      {"blockId", address(blockId)},
      {"loadGlobal", address(loadGlobal)},
      {"storeGlobal", address(storeGlobal)},
      {"nextOperation", address(nextOperation)},
      {"loadShared", address(loadShared)},
      {"storeShared", address(storeShared)},
      {"order", address(order)},
      {"atomicRmw", address(atomicRmw)},
      {"atomicCas", address(atomicCas)},
      {"atomicLoad", address(atomicLoad)},
      {"atomicStore", address(atomicStore)},
      {"barrier", address(barrier)},
      {"barrierIf", address(barrierIf)},
      {"warpBarrier", address(warpBarrier)},
      {"anyInBlock", address(anyInBlock)},
      {"shuffle", address(shuffle)},
      {"mma", address(mma)},
      {"approximate", address(approximate)},
      {"nanoseconds", address(nanoseconds)},
      {"runAssembly", address(runAssembly)},
      {"exitThread", address(exitThread)},
      {"atomicAddShared", address(atomicAddShared)},
      {"copyToShared", address(copyToShared)},
      {"commitCopies", address(commitCopies)},
      {"waitForCopies", address(waitForCopies)},
      {"loadMatrices", address(loadMatrices)},
  };
  for (const Entry &entry : table)
    if (entry.name == name)
      return entry.address;
  return nullptr;
}

} // namespace trisect::cuda
