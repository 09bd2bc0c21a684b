//===- GuardedBuffers.cpp - memory for arguments, with nothing around it --------------------------------===//
#include "interp/tools/GuardedBuffers.h"
#include <new>
#include <sys/mman.h>

namespace trisect::tools {

namespace {
/// Unmapped on either side of a buffer.
constexpr size_t guard = size_t(64) << 20;
constexpr size_t room = GuardedBuffers::mostBytes + 2 * guard;
} // namespace

GuardedBuffers::~GuardedBuffers() {
  for (const Room &each : rooms)
    munmap(each.buffer - guard, room);
}

uint8_t *GuardedBuffers::get(size_t n, size_t bytes) {
  while (rooms.size() <= n) {
    void *start = mmap(nullptr, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED)
      throw std::bad_alloc();
    rooms.push_back({static_cast<uint8_t *>(start) + guard, 0});
  }
  Room &mine = rooms[n];
  if (mine.bytes != bytes) {
    // What a larger one held before goes back to the system.
    madvise(mine.buffer, mostBytes, MADV_DONTNEED);
    if (mprotect(mine.buffer, mostBytes, PROT_NONE) != 0 ||
        mprotect(mine.buffer, bytes, PROT_READ | PROT_WRITE) != 0)
      throw std::bad_alloc();
    mine.bytes = bytes;
  }
  return mine.buffer;
}

} // namespace trisect::tools
