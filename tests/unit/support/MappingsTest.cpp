//===- MappingsTest.cpp - memory of this process and of several -----------------------------------------===//
#include "core/support/Mappings.h"
#include <array>
#include <cstdio>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <memory>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

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

TEST(Mappings, AChildAsksAboutItself) {
  Mapping mine(MAP_PRIVATE);
  EXPECT_EQ(arePrivate(std::array{mine.address()}), systemTells());
  pid_t child = fork();
  if (child == 0) {
    void *shared = mmap(mine.memory, Mapping::size, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    _exit(shared == mine.memory && !arePrivate(std::array{mine.address()}) ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(Mappings, AProgramMayCloseAllFiles) {
  Mapping mine(MAP_PRIVATE);
  pid_t child = fork();
  if (child == 0) {
    bool before = arePrivate(std::array{mine.address()});
    close_range(3, ~0u, 0);
    bool closed = arePrivate(std::array{mine.address()});
    close_range(3, ~0u, 0);
    for (int n = 0; n < 8; ++n)
      open("/dev/null", O_RDONLY);
    _exit(before == systemTells() && closed == before && arePrivate(std::array{mine.address()}) == before
              ? 0
              : 1);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(Mappings, NoMemoryIsNotPrivate) {
  EXPECT_FALSE(arePrivate(std::array{uint64_t(0)}));
  EXPECT_FALSE(arePrivate(std::array{uint64_t(1) << 60}));
}

} // namespace
} // namespace trisect
