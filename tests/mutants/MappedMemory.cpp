//===- MappedMemory.cpp - mmap --------------------------------------------------------------------------===//
#include "tests/mutants/MappedMemory.h"
#include "core/support/Outcome.h"
#include <atomic>
#include <cstring>
#include <sys/mman.h>

namespace trisect::mutants {

/// Empty address space on either side: what goes astray is a fault, and nothing else is put there.
constexpr size_t margin = size_t(1) << 20;
/// Where nobody else's memory lies, so that the place stays free for a bundle; elsewhere if it is taken.
std::atomic<uint64_t> lonely{uint64_t(1) << 39};

void MappedMemory::read(uint64_t address, void *to, size_t bytes) {
  std::memcpy(to, reinterpret_cast<const void *>(address), bytes);
}

void MappedMemory::write(uint64_t address, const void *from, size_t bytes) {
  std::memcpy(reinterpret_cast<void *>(address), from, bytes);
}

uint64_t MappedMemory::allocate(size_t bytes) {
  constexpr size_t page = 4096;
  size_t usable = (bytes + page) / page * page, size = usable + 2 * margin;
  void *hint = reinterpret_cast<void *>(lonely.fetch_add(size));
  void *space = mmap(hint, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (space == MAP_FAILED)
    throw EngineError("no address space is left");
  auto address = reinterpret_cast<uint64_t>(space) + margin;
  if (mprotect(reinterpret_cast<void *>(address), usable, PROT_READ | PROT_WRITE) != 0)
    throw EngineError("no memory is left");
  sizes[address] = size;
  return address;
}

void MappedMemory::release(uint64_t address) {
  munmap(reinterpret_cast<void *>(address - margin), sizes.at(address));
  sizes.erase(address);
}

} // namespace trisect::mutants
