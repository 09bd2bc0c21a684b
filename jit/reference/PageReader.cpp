//===- PageReader.cpp - clipped to allocations ----------------------------------------------------------===//
#include "jit/reference/PageReader.h"
#include <algorithm>
#include <cstring>
#include <memory>
#include <unordered_map>
#include <vector>

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

namespace {
/// Memory of a device in pieces larger than the pages that an overlay asks for.
class Pieces {
public:
  explicit Pieces(MemorySpace &memory) : memory(memory) {}
  void read(uint64_t address, uint8_t *into, size_t bytes) {
    while (bytes) {
      uint64_t within = address % pieceBytes;
      size_t count = std::min<size_t>(bytes, pieceBytes - within);
      std::memcpy(into, piece(address - within) + within, count);
      address += count, into += count, bytes -= count;
    }
  }

  bool holds(uint64_t address, uint64_t bytes) {
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

private:
  static constexpr uint64_t pieceBytes = 64 << 10;
  const uint8_t *piece(uint64_t address) {
    std::vector<uint8_t> &known = pieces[address];
    if (known.empty()) {
      known.resize(pieceBytes);
      readPages(memory, address, known.data(), pieceBytes);
    }
    return known.data();
  }

  MemorySpace &memory;
  Allocation last; ///< that held what was asked for
  std::unordered_map<uint64_t, std::vector<uint8_t>> pieces;
};
} // namespace

interp::Overlay overlayOver(MemorySpace &memory) {
  if (!memory.isHost()) {
    auto pieces = std::make_shared<Pieces>(memory);
    return interp::Overlay(
        [pieces](uint64_t address, void *into, int64_t bytes) {
          pieces->read(address, static_cast<uint8_t *>(into), static_cast<size_t>(bytes));
        },
        [pieces](uint64_t address, int64_t bytes) {
          return pieces->holds(address, static_cast<uint64_t>(bytes));
        });
  }
  return interp::Overlay([&memory](uint64_t address, void *into, int64_t bytes) {
    readPages(memory, address, into, static_cast<size_t>(bytes));
  });
}

} // namespace trisect::jit
