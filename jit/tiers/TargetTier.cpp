//===- TargetTier.cpp - a code generator as a tier ------------------------------------------------------===//
#include "jit/tiers/TargetTier.h"
#include "backends/Targets.h"
#include "backends/target/Guards.h"
#include "core/ir/Registry.h"
#include "core/support/Outcome.h"
#include <mutex>

namespace trisect::jit {

namespace {
/// The form for launches that keep the compiler's guards, and the one for the rest, made when one comes.
class FormsExecutable final : public Executable {
public:
  FormsExecutable(Target &target, Device &device, std::shared_ptr<const Kernel> source)
      : target(target), device(device), source(std::move(source)) {
    artifact = compile(Form::Disjoint);
    guarded = device.load(artifact);
  }

  void launch(const LaunchRequest &request) override {
    (holds(*artifact, request) ? *guarded : careful()).launch(request);
  }
  NumericProfile numerics() const override { return artifact->numerics; }
  bool wantsTensors() const override { return !artifact->guards.empty() || guarded->wantsTensors(); }

private:
  std::shared_ptr<const Artifact> compile(Form form) const {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    tt::loadDialects(context);
    auto module = source->parse(context);
    auto options = target.readOptions(source->options());
    return std::make_shared<const Artifact>(target.compile(*module, source->name(), *options, form));
  }

  Executable &careful() {
    std::lock_guard guard(lock);
    if (!any)
      any = device.load(compile(Form::Any));
    return *any;
  }

  Target &target;
  Device &device;
  std::shared_ptr<const Kernel> source;
  std::shared_ptr<const Artifact> artifact;
  std::unique_ptr<Executable> guarded, any;
  std::mutex lock;
};
} // namespace

std::unique_ptr<Executable> TargetTier::compile(std::shared_ptr<const Kernel> kernel) {
  Device *device = target.device({});
  if (!device)
    throw Unsupported(std::string(target.name()) + ": compiles ahead of time only; nothing here runs it");
  return std::make_unique<FormsExecutable>(target, *device, std::move(kernel));
}

std::unique_ptr<TargetTier> TargetTier::find(std::string_view name) {
  registerTargets();
  Target *target = TargetRegistry::find(name);
  return target ? std::make_unique<TargetTier>(*target) : nullptr;
}

} // namespace trisect::jit
