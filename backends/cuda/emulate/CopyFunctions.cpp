//===- CopyFunctions.cpp - copies under way, and matrices, of emulated code -----------------------------===//
#include "backends/cuda/emulate/CopyFunctions.h"
#include "backends/cuda/emulate/Emulator.h"
#include <cstring>

namespace trisect::cuda {

namespace {
constexpr uint8_t notYetThere = 0xcd;

EmulatedThread &of(void *context) { return *static_cast<EmulatedThread *>(context); }

void access(EmulatedThread &thread, WatchedMemory::Access kind, uint32_t address, void *data,
            uint32_t bytes) {
  EmulatedBlock &block = thread.block;
  block.emulator.check(thread, block.shared.touch(kind, address, data, bytes, block.now(thread)));
}
} // namespace

void copyToShared(void *context, uint32_t shared, uint64_t address, uint32_t bytes, uint32_t active,
                  uint32_t mine) {
  if (!mine)
    return;
  EmulatedThread &thread = of(context);
  CopyUnderWay copy{shared, bytes, {}};
  if (active) {
    thread.touchGlobal(GlobalMemory::Access::Read, address, bytes);
    std::memcpy(copy.data.data(), reinterpret_cast<const void *>(address), bytes);
  }
  std::array<uint8_t, CopyUnderWay::mostBytes> pattern;
  pattern.fill(notYetThere);
  access(thread, WatchedMemory::Access::Write, shared, pattern.data(), bytes);
  thread.openCopies.push_back(copy);
}

void commitCopies(void *context) {
  EmulatedThread &thread = of(context);
  thread.copies.push_back(std::move(thread.openCopies));
  thread.openCopies.clear();
}

void waitForCopies(void *context, uint32_t pending) {
  EmulatedThread &thread = of(context);
  for (; thread.copies.size() > pending; thread.copies.pop_front())
    for (CopyUnderWay &copy : thread.copies.front())
      access(thread, WatchedMemory::Access::Write, copy.shared, copy.data.data(), copy.bytes);
}

void loadMatrices(void *context, uint32_t site, uint32_t address, uint32_t count, uint32_t transposed,
                  uint32_t *words) {
  constexpr uint32_t rowBytes = 16;
  EmulatedThread &thread = of(context);
  EmulatedWarp &warp = thread.block.warpOf(thread);
  warp.brought[thread.lane()] = {address};
  thread.block.emulator.waitForWarp(thread, site, [count](EmulatedWarp &warp) {
    std::vector<uint64_t> rows;
    for (uint32_t lane = 0; lane < 8 * count; ++lane)
      rows.push_back(warp.brought[lane][0]);
    warp.taken.fill(rows);
  });
  std::vector<uint64_t> rows = warp.taken[thread.lane()];
  uint32_t group = thread.lane() / 4, member = thread.lane() % 4;
  for (uint32_t matrix = 0; matrix < count; ++matrix) {
    std::array<uint16_t, 2> pair;
    for (uint32_t i = 0; i < 2; ++i) {
      uint32_t row = transposed ? 2 * member + i : group, column = transposed ? group : 2 * member + i;
      auto start = static_cast<uint32_t>(rows[8 * matrix + row]);
      if (start % rowBytes)
        thread.block.emulator.fail(thread, "a row of a matrix at byte " + std::to_string(start) +
                                               " of shared memory, which is no multiple of 16");
      access(thread, WatchedMemory::Access::Read, start + 2 * column, &pair[i], sizeof(pair[i]));
    }
    std::memcpy(&words[matrix], pair.data(), sizeof(pair));
  }
}

} // namespace trisect::cuda
