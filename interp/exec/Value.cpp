//===- Value.cpp - block memory and scalar bits ---------------------------------------------------------===//
#include "interp/exec/Value.h"
#include <bit>
#include <cstdlib>
#include <new>

namespace trisect::interp {

BufferPool &BufferPool::ofThisThread() {
  static thread_local BufferPool pool;
  return pool;
}

void BufferPool::dispose(Buffer *buffer) { std::free(buffer); }

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
    // Kernels may read a whole vector at the end of a block: 64 bytes more than asked for.
    found = static_cast<Buffer *>(std::aligned_alloc(64, 128 + (size_t(1) << sizeClass)));
    if (!found)
      throw std::bad_alloc();
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
