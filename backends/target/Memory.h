//===- Memory.h - the memory that arguments lie in ------------------------------------------------------===//
//
// What: how the host reads and writes the memory of a device.
// Why: checks, sanitizers and the debugger look at tensors wherever they lie.
// Limits: addresses are those that kernels get. Host memory is read directly; nothing there says which
// allocation an address belongs to.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_TARGET_MEMORY_H
#define TRISECT_BACKENDS_TARGET_MEMORY_H

#include "core/support/Launch.h"
#include <cstddef>
#include <cstdint>
#include <optional>

namespace trisect {

struct Allocation {
  uint64_t address = 0;
  uint64_t bytes = 0;
};

class MemorySpace {
public:
  virtual ~MemorySpace() = default;
  /// Whether this process may use addresses as they are.
  virtual bool isHost() const { return false; }
  /// Copy bytes; InvalidInput if they are not all memory of this space.
  virtual void read(uint64_t address, void *to, size_t bytes) = 0;
  virtual void write(uint64_t address, const void *from, size_t bytes) = 0;
  /// Memory of this space; throws Unsupported if there is not so much left, or none to be had.
  virtual uint64_t allocate(size_t bytes);
  virtual void release(uint64_t address);
  /// Waits until what was put into a stream is done.
  virtual void sync(void *stream) = 0;
  /// Whether sync() is allowed now; a stream that is captured into a graph lets nobody wait.
  virtual bool canWait(void *) { return true; }
  /// The allocation that holds an address, if it is known.
  virtual std::optional<Allocation> allocationAt(uint64_t address) = 0;
};

MemorySpace &hostMemory();

/// Memory of other kinds: `find` gives the memory of the device with an index, or null.
using MemoryFinder = MemorySpace *(*)(int32_t index);
void addMemory(DeviceKind kind, MemoryFinder find);
/// The memory of a device, or null if nothing here can reach it.
MemorySpace *memoryOf(DeviceId device);

} // namespace trisect

#endif // TRISECT_BACKENDS_TARGET_MEMORY_H
