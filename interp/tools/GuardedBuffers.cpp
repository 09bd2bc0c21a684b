//===- GuardedBuffers.cpp - memory for arguments, with nothing around it --------------------------------===//
#include "interp/tools/GuardedBuffers.h"
#include <new>
#include <sys/mman.h>

namespace trisect::tools {

namespace {
/// The room that a buffer stands in the middle of.
constexpr size_t room = size_t(64) << 20;
} // namespace

GuardedBuffers::~GuardedBuffers() {
  for (void *start : rooms)
    munmap(start, room);
}

uint8_t *GuardedBuffers::operator[](size_t n) {
  while (rooms.size() <= n) {
    void *start = mmap(nullptr, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED)
      throw std::bad_alloc();
    rooms.push_back(start);
    if (mprotect(static_cast<uint8_t *>(start) + room / 2, bytes, PROT_READ | PROT_WRITE) != 0)
      throw std::bad_alloc();
  }
  return static_cast<uint8_t *>(rooms[n]) + room / 2;
}

} // namespace trisect::tools
