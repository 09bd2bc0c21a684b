//===- Ladder.h - kernels through the target echo -------------------------------------------------------===//
//
// What: the fixture of LadderTest and PromotionTest: tensors in the memory of echo or in the host's.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_UNIT_JIT_LADDER_H
#define TRISECT_TESTS_UNIT_JIT_LADDER_H

#include "tests/unit/jit/Arguments.h"
#include "tests/unit/jit/EchoTarget.h"
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>

namespace trisect::jit {

inline constexpr int n = 1000;
inline constexpr Grid grid{4, 1, 1};

inline uint64_t firstElement(const LaunchRequest &request, size_t argument) { return request.args[argument]; }

template <class T> void poke(MemorySpace &memory, uint64_t address, T value) {
  memory.write(address, &value, sizeof(value));
}
template <class T> T peek(MemorySpace &memory, uint64_t address) {
  T value;
  memory.read(address, &value, sizeof(value));
  return value;
}

class Echo : public testing::TestWithParam<DeviceKind> {
protected:
  Echo() { reset(); }
  ~Echo() override { reset(); }
  void reset() {
    echoFlaws().after = nullptr;
    echoFlaws().inCompile = [] {};
    echoFlaws().compiles = echoFlaws().launches = 0;
  }
  bool onHost() const { return GetParam() == DeviceKind::Host; }
  MemorySpace &memory() const { return onHost() ? hostMemory() : echoMemory(); }

  /// A copy. On the host it begins a page: a flaw finds its first elements wherever a program has its own.
  template <class T> uint64_t place(const std::vector<T> &data) {
    size_t bytes = data.size() * sizeof(T);
    if (!onHost())
      return echoMemory().allocateCopy(data.data(), bytes);
    constexpr size_t page = 4096;
    auto &block = blocks.emplace_back(std::aligned_alloc(page, (bytes + page - 1) / page * page), std::free);
    std::memcpy(block.get(), data.data(), bytes);
    return reinterpret_cast<uint64_t>(block.get());
  }
  template <class T> std::vector<T> contents(uint64_t address, size_t elements) const {
    std::vector<T> data(elements);
    memory().read(address, data.data(), elements * sizeof(T));
    return data;
  }
  Arguments arguments() const {
    Arguments arguments;
    arguments.device = {GetParam(), 0};
    return arguments;
  }
  /// out = x + y of n elements.
  Arguments vectorAdd() {
    Arguments all = arguments();
    for (std::vector<float> *data : {&x, &y, &out})
      all.tensorAt(place(*data), {n});
    all.integer(n);
    return all;
  }
  void expectSum(const Arguments &all) {
    std::vector<float> sum = contents<float>(all.bits[2], n);
    for (int i = 0; i < n; ++i)
      ASSERT_EQ(sum[i], x[i] + y[i]) << i;
  }
  /// The host has another tier, which would be chosen; the memory of echo has only this one.
  static std::shared_ptr<TieredKernel> kernelOf(const char *text, bool pinned = true) {
    return fromText(text, pinned ? KernelOptions{{"tier", "echo"}} : KernelOptions{});
  }
  static std::shared_ptr<TieredKernel> adder() { return load("vector_add.ttir", {{"tier", "echo"}}); }
  static Event last(const TieredKernel &kernel) { return kernel.events().back(); }

  std::vector<std::unique_ptr<void, void (*)(void *)>> blocks; ///< of the host
  std::vector<float> x = ramp(n, 0.25f), y = ramp(n, 0.5f), out = std::vector<float>(n);
};

} // namespace trisect::jit

#endif // TRISECT_TESTS_UNIT_JIT_LADDER_H
