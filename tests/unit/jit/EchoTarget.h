//===- EchoTarget.h - a target for tests ----------------------------------------------------------------===//
//
// What: compiles a kernel to its own TTIR and runs that in tier 0, in host memory or in memory of its own.
// Told to, it does something wrong after each launch. Why: what holds for a code generator in jit/ must hold
// for the smallest one, and only a wrong one shows that checks find it.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_UNIT_JIT_ECHOTARGET_H
#define TRISECT_TESTS_UNIT_JIT_ECHOTARGET_H

#include "backends/target/Target.h"
#include <atomic>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

namespace trisect::jit {

constexpr DeviceId echoDevice{DeviceKind::Extension, 0};

/// Allocations at addresses that no process has.
class EchoMemory final : public MemorySpace {
public:
  uint64_t allocateCopy(const void *from, size_t bytes);
  void read(uint64_t address, void *to, size_t n) override {
    ++copies;
    std::lock_guard one(copying);
    std::memcpy(to, at(address, n), n);
  }
  void write(uint64_t address, const void *from, size_t n) override {
    ++copies;
    std::lock_guard one(copying);
    std::memcpy(at(address, n), from, n);
  }
  void sync(void *) override {}
  std::optional<Allocation> allocationAt(uint64_t address) override;

  std::atomic<int> copies{0}; ///< from here and to here

private:
  uint8_t *at(uint64_t address, size_t bytes);
  std::mutex lock;
  std::mutex copying; ///< whole pages are read, of which other launches may write a part
  uint64_t next = uint64_t(1) << 60;
  std::map<uint64_t, std::vector<uint8_t>> blocks;
};

/// What the target does wrong, and how often it was asked.
struct EchoFlaws {
  std::function<void(MemorySpace &memory, const LaunchRequest &request)> after; ///< each launch
  std::function<void()> inCompile = [] {};
  std::atomic<int> compiles{0}, launches{0};
};

/// The memory and the flaws of the target `echo`, which is in the registry from the first call on.
EchoMemory &echoMemory();
EchoFlaws &echoFlaws();

} // namespace trisect::jit

#endif // TRISECT_TESTS_UNIT_JIT_ECHOTARGET_H
