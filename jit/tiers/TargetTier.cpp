//===- TargetTier.cpp - a code generator as a tier ------------------------------------------------------===//
#include "jit/tiers/TargetTier.h"
#include "backends/cpu/CpuTarget.h"
#include "core/ir/Registry.h"

namespace trisect::jit {

namespace {
class TargetExecutable final : public Executable {
public:
  TargetExecutable(std::unique_ptr<CompiledKernel> kernel, NumericProfile profile)
      : kernel(std::move(kernel)), profile(profile) {}
  void launch(const LaunchRequest &request) override { kernel->launch(request); }
  NumericProfile numerics() const override { return profile; }
  bool wantsTensors() const override { return kernel->wantsTensors(); }

private:
  std::unique_ptr<CompiledKernel> kernel;
  NumericProfile profile;
};
} // namespace

std::unique_ptr<Executable> TargetTier::compile(const Kernel &kernel) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tt::loadDialects(context);
  auto module = kernel.parse(context);
  return std::make_unique<TargetExecutable>(target.compile(*module, kernel.name(), {}), target.numerics());
}

std::unique_ptr<TargetTier> TargetTier::find(std::string_view name) {
  cpu::registerCpuTarget();
  Target *target = TargetRegistry::find(name);
  return target ? std::make_unique<TargetTier>(*target) : nullptr;
}

} // namespace trisect::jit
