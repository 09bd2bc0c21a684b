//===- Runtime.cpp - kernels and launches ---------------------------------------------------------------===//
#include "python/bindings/facade/Runtime.h"
#include "backends/Targets.h"
#include "backends/target/Target.h"
#include "core/ir/Registry.h"
#include "jit/launch/Recording.h"
#include "jit/launch/TieredKernel.h"
#include "jit/tiers/CompileQueue.h"

namespace trisect::runtime {

struct KernelState {
  std::shared_ptr<jit::TieredKernel> kernel;
};

Kernel Kernel::create(std::string_view source, std::string_view name,
                      const std::map<std::string, std::string> &options) {
  Kernel kernel;
  kernel.state = std::make_shared<KernelState>();
  kernel.state->kernel = jit::TieredKernel::create(jit::Kernel::create(source, name, options));
  return kernel;
}

std::string Kernel::name() const { return state->kernel->kernel().name(); }

std::vector<Parameter> Kernel::parameters() const {
  std::vector<Parameter> result;
  for (const jit::KernelParameter &parameter : state->kernel->kernel().parameters())
    result.push_back({parameter.name, parameter.spelling});
  return result;
}

bool Kernel::wantsTensors() const { return state->kernel->wantsTensors(); }

void Kernel::launch(const LaunchRequest &request) const { state->kernel->launch(request); }

std::string Kernel::tier() const { return state->kernel->tier(); }

static std::string verdictName(jit::VerdictKind kind) {
  switch (kind) {
  case jit::VerdictKind::Equal:
    return "equal";
  case jit::VerdictKind::Different:
    return "different";
  case jit::VerdictKind::Inconclusive:
    return "inconclusive";
  }
  return "";
}

std::vector<Event> Kernel::events() const {
  std::vector<Event> result;
  for (const jit::Event &event : state->kernel->events()) {
    Event plain{
        std::string(jit::eventKindName(event.kind)), event.tier, event.text, "", 0, 0, event.milliseconds};
    if (event.verdict) {
      plain.verdict = verdictName(event.verdict->kind);
      plain.programs = event.verdict->programs;
      plain.bytes = event.verdict->bytes;
    }
    result.push_back(plain);
  }
  return result;
}

void startRecording() { jit::recording::start(); }
std::vector<LaunchRecord> stopRecording() { return jit::recording::stop(); }

NativeObject Kernel::nativeObject() const {
  const jit::Kernel &kernel = state->kernel->kernel();
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tt::loadDialects(context);
  auto module = kernel.parse(context);
  registerTargets();
  Target &target = *TargetRegistry::find("cpu");
  Artifact made = target.compile(*module, kernel.name(), *target.readOptions(kernel.options()), Form::Any);
  return {std::move(made.code), std::move(made.symbol), made.resources.scratchBytes};
}

void waitForCompiles() { jit::waitForCompiles(); }

} // namespace trisect::runtime
