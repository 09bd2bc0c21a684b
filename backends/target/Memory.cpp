//===- Memory.cpp - host memory, and the finders of others ----------------------------------------------===//
#include "backends/target/Memory.h"
#include "core/support/ForkGate.h"
#include "core/support/Outcome.h"
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

namespace trisect {

namespace {
class HostMemory final : public MemorySpace {
public:
  bool isHost() const override { return true; }
  void read(uint64_t address, void *to, size_t bytes) override {
    std::memcpy(to, reinterpret_cast<const void *>(address), bytes);
  }
  void write(uint64_t address, const void *from, size_t bytes) override {
    std::memcpy(reinterpret_cast<void *>(address), from, bytes);
  }
  uint64_t allocate(size_t bytes) override {
    constexpr size_t alignment = 64;
    void *memory = std::aligned_alloc(alignment, (bytes + alignment) / alignment * alignment);
    if (!memory)
      throw Unsupported("there are no " + std::to_string(bytes) + " bytes of memory left");
    return reinterpret_cast<uint64_t>(memory);
  }
  void release(uint64_t address) override { std::free(reinterpret_cast<void *>(address)); }
  void sync(void *) override {} // launches on the host are done when they return
  std::optional<Allocation> allocationAt(uint64_t) override { return std::nullopt; }
};

struct Finders {
  ForkMutex lock;
  std::map<DeviceKind, MemoryFinder> byKind;
};
// Never destroyed: launches may still run while the process exits.
Finders &finders() {
  static auto *instance = new Finders;
  return *instance;
}
} // namespace

uint64_t MemorySpace::allocate(size_t bytes) {
  throw Unsupported("this kind of memory gives no " + std::to_string(bytes) + " bytes");
}
void MemorySpace::release(uint64_t) {}

MemorySpace &hostMemory() {
  static auto *instance = new HostMemory;
  return *instance;
}

void addMemory(DeviceKind kind, MemoryFinder find) {
  std::lock_guard guard(finders().lock);
  finders().byKind[kind] = find;
}

MemorySpace *memoryOf(DeviceId device) {
  if (device.kind == DeviceKind::Host)
    return &hostMemory();
  std::lock_guard guard(finders().lock);
  auto found = finders().byKind.find(device.kind);
  return found == finders().byKind.end() ? nullptr : found->second(device.index);
}

} // namespace trisect
