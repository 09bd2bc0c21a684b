//===- CudaMemory.cpp - device memory, checked before it is touched -------------------------------------===//
#include "backends/cuda/launch/CudaMemory.h"
#include "backends/cuda/driver/Capture.h"
#include "backends/cuda/driver/Device.h"
#include "backends/cuda/driver/Memory.h"
#include "core/support/Outcome.h"
#include <deque>

namespace trisect::cuda {

namespace {
class CudaMemory final : public MemorySpace {
public:
  explicit CudaMemory(int device) : device(device) {}

  void read(uint64_t address, void *to, size_t bytes) override {
    demand(address, bytes);
    driver::read(device, nullptr, address, to, static_cast<int64_t>(bytes));
  }
  void write(uint64_t address, const void *from, size_t bytes) override {
    demand(address, bytes);
    driver::write(device, nullptr, address, from, static_cast<int64_t>(bytes));
  }
  uint64_t allocate(size_t bytes) override { return driver::allocate(device, static_cast<int64_t>(bytes)); }
  void release(uint64_t address) override { driver::release(device, address); }
  void sync(void *stream) override { driver::synchronize(device, static_cast<driver::Stream>(stream)); }
  bool canWait(void *stream) override {
    return !driver::isCapturing(device, static_cast<driver::Stream>(stream));
  }
  std::optional<Allocation> allocationAt(uint64_t address) override {
    std::optional<driver::Allocation> found = driver::allocationOf(address);
    if (!found)
      return std::nullopt;
    return Allocation{found->base, static_cast<uint64_t>(found->bytes)};
  }

private:
  // A wild copy would put the whole context out of order.
  void demand(uint64_t address, size_t bytes) {
    std::optional<Allocation> found = allocationAt(address);
    if (!found || bytes > found->bytes || address - found->address > found->bytes - bytes)
      throw InvalidInput("cuda: no device memory holds the " + std::to_string(bytes) +
                         " bytes from address " + std::to_string(address));
  }

  int device;
};
} // namespace

MemorySpace *cudaMemory(int32_t device) {
  static auto *all = [] {
    auto *made = new std::deque<CudaMemory>;
    for (int index = 0; index < driver::deviceCount(); ++index)
      made->emplace_back(index);
    return made;
  }();
  return device >= 0 && device < static_cast<int32_t>(all->size()) ? &(*all)[static_cast<size_t>(device)]
                                                                   : nullptr;
}

} // namespace trisect::cuda
