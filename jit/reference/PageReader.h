//===- PageReader.h - memory of a device by pages -------------------------------------------------------===//
//
// What: reads whole pages of a memory in which allocations may begin and end anywhere, and keeps them. Why:
// an overlay asks for pages; a device copies only what is allocated; what several runs read is read once.
// Limits: what is no memory reads as zeros; on the host it is touched, and a guard has to stand by. A
// snapshot serves one thread.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_REFERENCE_PAGEREADER_H
#define TRISECT_JIT_REFERENCE_PAGEREADER_H

#include "backends/target/Memory.h"
#include "interp/memory/Overlay.h"
#include <memory>
#include <unordered_map>
#include <vector>

namespace trisect::jit {

void readPages(MemorySpace &memory, uint64_t address, void *into, size_t bytes);

/// Pages of a memory as they were when they were first asked for; their copies stay where they are.
class PageSnapshot {
public:
  explicit PageSnapshot(MemorySpace &memory) : memory(memory) {}
  const uint8_t *page(uint64_t address);
  bool onHost() const { return memory.isHost(); }
  /// Whether an access finds memory of the device.
  bool holds(uint64_t address, uint64_t bytes);
  /// How much is kept.
  size_t bytes() const { return pieces.size() * pieceBytes; }

private:
  static constexpr uint64_t pageBytes = interp::Overlay::pageBytes;
  static constexpr uint64_t pieceBytes = 64 << 10;
  const uint8_t *hostPage(uint64_t address);
  const uint8_t *devicePage(uint64_t address);

  MemorySpace &memory;
  Allocation last; ///< that held what was asked for
  std::vector<std::unique_ptr<uint8_t[]>> pieces;
  size_t used = 0; ///< pages of the last piece, on the host
  std::unordered_map<uint64_t, uint8_t *>
      known; ///< of the host each page, of a device each piece, by address
};

/// An overlay over the memory, all of whose pages are known afterwards. The memory must outlive it.
interp::Overlay overlayOver(MemorySpace &memory);
interp::Overlay overlayOver(const std::shared_ptr<PageSnapshot> &snapshot);

} // namespace trisect::jit

#endif // TRISECT_JIT_REFERENCE_PAGEREADER_H
