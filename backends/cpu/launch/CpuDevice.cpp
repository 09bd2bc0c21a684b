//===- CpuDevice.cpp - this machine's processors as a device --------------------------------------------===//
#include "backends/cpu/launch/CpuDevice.h"
#include "backends/cpu/launch/CpuExecutable.h"
#include "backends/cpu/orc/Loader.h"
#include "backends/cpu/orc/Machine.h"
#include "core/support/Outcome.h"

namespace trisect::cpu {

namespace {
class CpuDevice final : public Device {
public:
  std::string_view name() const override { return "host"; }
  MemorySpace &memory() override { return hostMemory(); }

  std::unique_ptr<Executable> load(std::shared_ptr<const Artifact> artifact) override {
    if (artifact->target != "cpu")
      throw InvalidInput("cpu: kernel " + artifact->kernel + " was compiled for " + artifact->target);
    if (artifact->abi != entryAbi)
      throw InvalidInput("cpu: kernel " + artifact->kernel +
                         " was compiled by another release; compile it again");
    if (!runsHere(artifact->isa))
      throw InvalidInput("cpu: this processor cannot run kernel " + artifact->kernel + ", compiled for " +
                         artifact->isa);
    std::unique_ptr<LoadedObject> object = loadObject(artifact->code, artifact->symbol, artifact->kernel);
    return std::make_unique<CpuExecutable>(std::move(artifact), std::move(object));
  }
};
} // namespace

Device &cpuDevice() {
  static auto *device = new CpuDevice;
  return *device;
}

} // namespace trisect::cpu
