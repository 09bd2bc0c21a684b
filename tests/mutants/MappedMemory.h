//===- MappedMemory.h - host memory whose addresses come free again -------------------------------------===//
//
// What: memory of the host in which each allocation has pages of its own, which go back to the system. Why: a
// bundle maps its memory where it lay.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_MUTANTS_MAPPEDMEMORY_H
#define TRISECT_TESTS_MUTANTS_MAPPEDMEMORY_H

#include "backends/target/Memory.h"
#include <map>

namespace trisect::mutants {

class MappedMemory final : public MemorySpace {
public:
  bool isHost() const override { return true; }
  void read(uint64_t address, void *to, size_t bytes) override;
  void write(uint64_t address, const void *from, size_t bytes) override;
  uint64_t allocate(size_t bytes) override;
  void release(uint64_t address) override;
  void sync(void *) override {}
  std::optional<Allocation> allocationAt(uint64_t) override { return std::nullopt; }

private:
  std::map<uint64_t, size_t> sizes;
};

} // namespace trisect::mutants

#endif // TRISECT_TESTS_MUTANTS_MAPPEDMEMORY_H
