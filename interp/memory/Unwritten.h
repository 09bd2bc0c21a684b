//===- Unwritten.h - memory that nobody has written yet -------------------------------------------------===//
//
// What: remembers, byte by byte and from launch to launch, which marked memory no kernel has written. A mark
// fills the memory with a pattern of its addresses, so that a write of the host, which nobody sees, shows: a
// byte counts as unwritten only while no kernel wrote it and its neighbourhood still holds the pattern.
// Why: a read of what nobody wrote is a defect, a report about memory that the host has filled would be a
// false alarm. Limits: memory must be forgotten before it is freed.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_MEMORY_UNWRITTEN_H
#define TRISECT_INTERP_MEMORY_UNWRITTEN_H

#include "core/support/Launch.h"
#include "interp/memory/Memory.h"
#include <cstdint>
#include <memory>
#include <vector>

namespace trisect::interp {

/// A stretch of marked memory. Tensors that overlap share one.
class Unwritten {
public:
  Unwritten(uint64_t low, uint64_t high);

  uint64_t low() const { return from; }
  uint64_t high() const { return to; }
  /// Fills the bytes, in `memory` or, without it, in that of the process.
  void setUnwritten(uint64_t address, int64_t bytes, MemoryPolicy *memory);
  void setWritten(uint64_t address, int64_t bytes);
  /// Whether any of the bytes was never written.
  bool any(uint64_t address, int64_t bytes, MemoryPolicy *memory) const;

private:
  bool unwritten(uint64_t address, MemoryPolicy *memory) const;

  uint64_t from, to;
  std::vector<uint8_t> flags; ///< by byte: 1 if no kernel wrote it since it was marked
};

/// Marks the elements of a view and fills them with the pattern.
void markUninitialized(const TensorView &view, MemoryPolicy *memory = nullptr);
/// Drops all marks of memory that overlaps [address, address + bytes).
void forgetUninitialized(uint64_t address, int64_t bytes);
/// The marked memory that overlaps [low, high).
std::vector<std::shared_ptr<Unwritten>> unwrittenIn(uint64_t low, uint64_t high);

} // namespace trisect::interp

#endif // TRISECT_INTERP_MEMORY_UNWRITTEN_H
