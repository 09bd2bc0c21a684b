//===- Transfers.h - many small pieces of a memory in few copies ----------------------------------------===//
//
// What: reads pages and writes bytes, neighbours together. Why: a copy from or to a device costs some
// microseconds, however short it is. Limits: at most a MiB in one copy; pieces come in ascending order, or
// are copied one by one.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_REFERENCE_TRANSFERS_H
#define TRISECT_JIT_REFERENCE_TRANSFERS_H

#include "backends/target/Memory.h"
#include "interp/memory/Overlay.h"
#include <functional>
#include <span>
#include <vector>

namespace trisect::jit {

/// Reads the pages that begin at `addresses`; gives `visit` the number of each with its bytes.
void readEach(MemorySpace &memory, std::span<const uint64_t> addresses,
              const std::function<void(size_t, const uint8_t *)> &visit);

/// What was written into the overlay, into the memory below it.
void writeBack(const interp::Overlay &overlay, MemorySpace &memory);

class Writer {
public:
  explicit Writer(MemorySpace &memory) : memory(memory) {}
  void write(uint64_t address, const uint8_t *from, size_t bytes);
  /// Until then some may not be written.
  void finish();

private:
  MemorySpace &memory;
  uint64_t start = 0;
  std::vector<uint8_t> waiting;
};

} // namespace trisect::jit

#endif // TRISECT_JIT_REFERENCE_TRANSFERS_H
