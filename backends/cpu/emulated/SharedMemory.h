//===- SharedMemory.h - memory of a device that is another process --------------------------------------===//
//
// What: an unnamed file that this process and a worker map, as the memory space of a device: addresses are
// the worker's. Limits: a place is given anew only once all have been released; reads and writes reach it at
// once.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMULATED_SHAREDMEMORY_H
#define TRISECT_BACKENDS_CPU_EMULATED_SHAREDMEMORY_H

#include "backends/target/Memory.h"
#include <map>

namespace trisect::cpu {

class SharedMemory final : public MemorySpace {
public:
  /// Throws EngineError.
  SharedMemory();
  ~SharedMemory() override;
  SharedMemory(const SharedMemory &) = delete;
  SharedMemory &operator=(const SharedMemory &) = delete;

  int file() const { return descriptor; }
  /// Where the worker has mapped it.
  void liesAt(uint64_t address);

  void read(uint64_t address, void *to, size_t bytes) override;
  void write(uint64_t address, const void *from, size_t bytes) override;
  uint64_t allocate(size_t bytes) override;
  void release(uint64_t address) override;
  void sync(void *) override {}
  std::optional<Allocation> allocationAt(uint64_t address) override;

private:
  char *here(uint64_t address, size_t bytes) const;

  int descriptor = -1;
  char *memory = nullptr;
  uint64_t there = 0;
  uint64_t used = 0;
  std::map<uint64_t, uint64_t> sizes; ///< of allocations, by their place in the file
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMULATED_SHAREDMEMORY_H
