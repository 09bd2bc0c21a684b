//===- PageReader.cpp - clipped to allocations ----------------------------------------------------------===//
#include "jit/reference/PageReader.h"
#include <algorithm>
#include <cstring>

namespace trisect::jit {

namespace {
/// No device allocates in finer pieces.
constexpr uint64_t granule = 256;

/// Pages of the host hold what others guard: sanitizers must not look on.
__attribute__((no_sanitize("address", "thread"))) void copyUnseen(uint64_t address, void *into,
                                                                  size_t bytes) {
  const auto *from = reinterpret_cast<const volatile uint8_t *>(address);
  auto *to = static_cast<uint8_t *>(into);
  size_t i = 0;
  if (address % 8 == 0)
    for (; i + 8 <= bytes; i += 8) {
      uint64_t word = *reinterpret_cast<const volatile uint64_t *>(from + i);
      std::memcpy(to + i, &word, 8);
    }
  for (; i < bytes; ++i)
    to[i] = from[i];
}
} // namespace

void readPages(MemorySpace &memory, uint64_t address, void *into, size_t bytes) {
  if (memory.isHost())
    return copyUnseen(address, into, bytes);
  auto *to = static_cast<uint8_t *>(into);
  for (uint64_t at = address, end = address + bytes; at < end;) {
    std::optional<Allocation> allocation = memory.allocationAt(at);
    uint64_t next = allocation ? std::min(end, allocation->address + allocation->bytes)
                               : std::min(end, (at / granule + 1) * granule);
    if (allocation)
      memory.read(at, to + (at - address), next - at);
    else
      std::memset(to + (at - address), 0, next - at);
    at = next;
  }
}

const uint8_t *PageSnapshot::page(uint64_t address) {
  return memory.isHost() ? hostPage(address) : devicePage(address);
}

const uint8_t *PageSnapshot::hostPage(uint64_t address) {
  uint8_t *&page = known[address];
  if (page)
    return page;
  if (pieces.empty() || used == pieceBytes / pageBytes) {
    pieces.push_back(std::make_unique_for_overwrite<uint8_t[]>(pieceBytes));
    used = 0;
  }
  page = pieces.back().get() + used++ * pageBytes;
  readPages(memory, address, page, pageBytes);
  return page;
}

// In pieces larger than a page, since each copy from a device takes some microseconds.
const uint8_t *PageSnapshot::devicePage(uint64_t address) {
  uint64_t within = address % pieceBytes;
  uint8_t *&piece = known[address - within];
  if (!piece) {
    piece = pieces.emplace_back(std::make_unique_for_overwrite<uint8_t[]>(pieceBytes)).get();
    readPages(memory, address - within, piece, pieceBytes);
  }
  return piece + within;
}

bool PageSnapshot::holds(uint64_t address, uint64_t bytes) {
  for (uint64_t at = address, end = address + bytes; at < end; at = last.address + last.bytes) {
    if (at - last.address < last.bytes)
      continue;
    std::optional<Allocation> found = memory.allocationAt(at);
    if (!found)
      return false;
    last = *found;
  }
  return true;
}

interp::Overlay overlayOver(const std::shared_ptr<PageSnapshot> &snapshot) {
  interp::Overlay::Mapped mapped;
  if (!snapshot->onHost())
    mapped = [snapshot](uint64_t address, int64_t bytes) {
      return snapshot->holds(address, static_cast<uint64_t>(bytes));
    };
  return interp::Overlay([snapshot](uint64_t address) { return snapshot->page(address); }, std::move(mapped));
}

interp::Overlay overlayOver(MemorySpace &memory) {
  return overlayOver(std::make_shared<PageSnapshot>(memory));
}

} // namespace trisect::jit
