//===- SharedMemory.cpp - a file in two processes -------------------------------------------------------===//
#include "backends/cpu/emulated/SharedMemory.h"
#include "core/support/Outcome.h"
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace trisect::cpu {

namespace {
constexpr size_t capacity = size_t(1) << 30; ///< only what is written to takes memory
constexpr uint64_t alignment = 64;
} // namespace

SharedMemory::SharedMemory() : descriptor(memfd_create("trisect-emulated", MFD_CLOEXEC)) {
  void *mapped =
      descriptor >= 0 && ftruncate(descriptor, capacity) == 0
          ? mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0)
          : MAP_FAILED;
  if (mapped == MAP_FAILED)
    throw EngineError("no memory to share with an emulator");
  memory = static_cast<char *>(mapped);
}

SharedMemory::~SharedMemory() {
  munmap(memory, capacity);
  close(descriptor);
}

void SharedMemory::liesAt(uint64_t address) {
  if (!sizes.empty() && address != there)
    throw EngineError("the emulator's memory has moved while something lies in it");
  there = address;
}

char *SharedMemory::here(uint64_t address, size_t bytes) const {
  uint64_t at = address - there;
  if (at > capacity || bytes > capacity - at)
    throw InvalidInput("address " + std::to_string(address) + " lies outside of the emulator's memory");
  return memory + at;
}

void SharedMemory::read(uint64_t address, void *to, size_t bytes) {
  std::memcpy(to, here(address, bytes), bytes);
}

void SharedMemory::write(uint64_t address, const void *from, size_t bytes) {
  std::memcpy(here(address, bytes), from, bytes);
}

uint64_t SharedMemory::allocate(size_t bytes) {
  if (sizes.empty())
    used = alignment; // no allocation lies at 0 of anything
  if (bytes > capacity - used)
    throw Unsupported("the memory shared with an emulator has no room for " + std::to_string(bytes) +
                      " bytes more");
  uint64_t at = used;
  used += (bytes / alignment + 2) * alignment; // some that nobody owns between neighbours
  used = std::min<uint64_t>(used, capacity);
  sizes[at] = bytes;
  return there + at;
}

void SharedMemory::release(uint64_t address) { sizes.erase(address - there); }

std::optional<Allocation> SharedMemory::allocationAt(uint64_t address) {
  auto after = sizes.upper_bound(address - there);
  if (after == sizes.begin())
    return std::nullopt;
  auto [at, bytes] = *std::prev(after);
  if (address - there - at >= bytes)
    return std::nullopt;
  return Allocation{there + at, bytes};
}

} // namespace trisect::cpu
