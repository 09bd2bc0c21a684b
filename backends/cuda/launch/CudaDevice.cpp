//===- CudaDevice.cpp - loading artifacts on GPUs -------------------------------------------------------===//
#include "backends/cuda/launch/CudaDevice.h"
#include "backends/cuda/driver/Device.h"
#include "backends/cuda/launch/CudaExecutable.h"
#include "backends/cuda/launch/CudaMemory.h"
#include "core/support/Outcome.h"
#include <deque>

namespace trisect::cuda {

namespace {
class CudaDevice final : public Device {
public:
  explicit CudaDevice(int index) : index(index), label("cuda:" + std::to_string(index)) {}
  std::string_view name() const override { return label; }
  MemorySpace &memory() override { return *cudaMemory(index); }
  std::unique_ptr<Executable> load(std::shared_ptr<const Artifact> artifact) override {
    if (artifact->target != "cuda" || artifact->abi != cudaAbi)
      throw InvalidInput(label + " does not load code of target " + artifact->target + ", ABI " +
                         std::to_string(artifact->abi));
    return std::make_unique<CudaExecutable>(index, std::move(artifact));
  }

private:
  int index;
  std::string label;
};
} // namespace

Device *cudaDevice(int32_t index) {
  static auto *all = [] {
    auto *made = new std::deque<CudaDevice>;
    for (int each = 0; each < driver::deviceCount(); ++each)
      made->emplace_back(each);
    return made;
  }();
  return index >= 0 && index < static_cast<int32_t>(all->size()) ? &(*all)[static_cast<size_t>(index)]
                                                                 : nullptr;
}

} // namespace trisect::cuda
