//===- RaceCells.cpp - memory that is zero until it is used ---------------------------------------------===//
//
// Mapped anew, since an allocator that reuses memory would have to clear all of it.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/memory/RaceCells.h"
#include <sys/mman.h>

namespace trisect::interp {

void RaceCells::Unmap::operator()(uint32_t *memory) const { munmap(memory, bytes); }

RaceCells::Memory RaceCells::make(size_t count) {
  size_t bytes = count * sizeof(uint32_t);
  void *memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return Memory(memory == MAP_FAILED ? nullptr : static_cast<uint32_t *>(memory), {bytes});
}

} // namespace trisect::interp
