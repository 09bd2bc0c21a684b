//===- Value.cpp - block memory and scalar bits ---------------------------------------------------------===//
#include "interp/exec/Value.h"
#include "core/support/BlockMemory.h"
#include "core/support/PerThread.h"
#include <bit>
#include <cstdlib>

namespace trisect::interp {

BufferPool &BufferPool::ofThisThread() {
  static constinit PerThread<BufferPool> pools;
  return pools.get();
}

namespace {
/// Kernels may read a whole vector at the end of a block: 64 bytes more than asked for; the head takes 64.
size_t sizeOfClass(unsigned sizeClass) { return 128 + (size_t(1) << sizeClass); }
} // namespace

void BufferPool::dispose(Buffer *buffer) {
  blockmemory::give(static_cast<int64_t>(sizeOfClass(buffer->sizeClass)));
  std::free(buffer);
}

BufferPool::~BufferPool() {
  for (Buffer *list : free)
    while (list) {
      Buffer *next = list->next;
      dispose(list);
      list = next;
    }
}

Buffer *BufferPool::acquire(int64_t bytes) {
  unsigned sizeClass = bytes <= 64 ? 6 : std::bit_width(static_cast<uint64_t>(bytes - 1));
  Buffer *found = free[sizeClass];
  if (found) {
    free[sizeClass] = found->next;
    kept -= int64_t(1) << sizeClass;
  } else {
    size_t size = sizeOfClass(sizeClass);
    blockmemory::take(static_cast<int64_t>(size));
    found = static_cast<Buffer *>(std::aligned_alloc(64, size));
    if (!found) {
      blockmemory::give(static_cast<int64_t>(size));
      throw OutOfBlockMemory();
    }
    found->sizeClass = sizeClass;
    found->pool = this;
  }
  found->references = 1;
  return found;
}

int64_t signedBits(uint64_t bits, DType type) {
  switch (byteSize(type)) {
  case 1:
    return type == DType::I1 ? -int64_t(bits & 1) : int8_t(bits);
  case 2:
    return int16_t(bits);
  case 4:
    return int32_t(bits);
  default:
    return int64_t(bits);
  }
}

uint64_t unsignedBits(uint64_t bits, DType type) {
  switch (byteSize(type)) {
  case 1:
    return type == DType::I1 ? bits & 1 : type == DType::I4 ? bits & 15 : uint8_t(bits);
  case 2:
    return uint16_t(bits);
  case 4:
    return uint32_t(bits);
  default:
    return bits;
  }
}

} // namespace trisect::interp
