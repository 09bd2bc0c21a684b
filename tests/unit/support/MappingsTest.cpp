//===- MappingsTest.cpp - memory of this process and of several -----------------------------------------===//
#include "core/support/Mappings.h"
#include <array>
#include <cstdio>
#include <gtest/gtest.h>
#include <memory>
#include <sys/mman.h>
#include <sys/utsname.h>

namespace trisect {
namespace {

/// The system tells from Linux 6.11 on.
bool systemTells() {
  utsname name;
  int major = 0, minor = 0;
  EXPECT_EQ(uname(&name), 0);
  EXPECT_EQ(sscanf(name.release, "%d.%d", &major, &minor), 2);
  return major > 6 || (major == 6 && minor >= 11);
}

class Mapping {
public:
  explicit Mapping(int flags)
      : memory(mmap(nullptr, size, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0)) {}
  ~Mapping() { munmap(memory, size); }
  uint64_t address() const { return reinterpret_cast<uint64_t>(memory) + 100; }

private:
  static constexpr size_t size = 4096;
  void *memory;
};

TEST(Mappings, SharedMemoryIsNobodysAlone) {
  Mapping mine(MAP_PRIVATE), shared(MAP_SHARED);
  uint64_t onHeap = 0;
  auto heap = std::make_unique<uint64_t[]>(1000);
  onHeap = reinterpret_cast<uint64_t>(heap.get());
  uint64_t onStack = reinterpret_cast<uint64_t>(&onHeap);
  EXPECT_EQ(arePrivate(std::array{mine.address(), onHeap, onStack}), systemTells());
  EXPECT_FALSE(arePrivate(std::array{shared.address()}));
  EXPECT_FALSE(arePrivate(std::array{mine.address(), shared.address(), onHeap}));
}

TEST(Mappings, NoMemoryIsNotPrivate) {
  EXPECT_FALSE(arePrivate(std::array{uint64_t(0)}));
  EXPECT_FALSE(arePrivate(std::array{uint64_t(1) << 60}));
}

} // namespace
} // namespace trisect
