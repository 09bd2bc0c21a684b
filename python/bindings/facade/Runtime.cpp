//===- Runtime.cpp - kernels and launches ---------------------------------------------------------------===//
#include "python/bindings/facade/Runtime.h"
#include "backends/Targets.h"
#include "backends/cpu/AssertHook.h"
#include "backends/cpu/Compile.h"
#include "backends/target/Target.h"
#include "core/ir/GuardedContext.h"
#include "core/ir/Parse.h"
#include "core/support/ForkGate.h"
#include "core/support/Options.h"
#include "core/support/Outcome.h"
#include "jit/cache/FolderShelf.h"
#include "jit/launch/Recording.h"
#include "jit/launch/TieredKernel.h"
#include "jit/tiers/CompileQueue.h"

namespace trisect::runtime {

struct KernelState {
  std::shared_ptr<jit::TieredKernel> kernel;
};

Kernel Kernel::create(std::string_view source, std::string_view name,
                      const std::map<std::string, std::string> &options, const KeptAs &kept) {
  ForkSection whole;
  Kernel kernel;
  kernel.state = std::make_shared<KernelState>();
  kernel.state->kernel = kept.shelf ? jit::TieredKernel::open(source, kept.text, std::string(name), options,
                                                              kept.tier, kept.shelf)
                                    : jit::TieredKernel::create(jit::Kernel::create(source, name, options));
  return kernel;
}

std::shared_ptr<Shelf> folderShelf(const std::string &folder) {
  return std::make_shared<jit::FolderShelf>(folder);
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

bool Kernel::launchWithoutTensors(const LaunchRequest &request) const {
  return state->kernel->launchWithoutTensors(request);
}

std::string Kernel::tier() const { return state->kernel->tier(); }

std::vector<Event> Kernel::events() const {
  std::vector<Event> result;
  for (const jit::Event &event : state->kernel->events()) {
    Event plain{
        std::string(jit::eventKindName(event.kind)), event.tier, event.text, "", 0, 0, event.milliseconds};
    if (event.verdict) {
      plain.verdict = jit::verdictName(event.verdict->kind);
      plain.programs = event.verdict->programs;
      plain.bytes = event.verdict->bytes;
    }
    result.push_back(plain);
  }
  return result;
}

Tally Kernel::tally() const {
  jit::Tally counted = state->kernel->tally();
  auto [equal, within, different, inconclusive] = counted.verdicts;
  return {counted.launches, counted.interpreted, equal,
          within,           different,           inconclusive,
          counted.bytes,    counted.worst,       static_cast<double>(counted.slowest) / 1e6};
}

void startRecording() { jit::recording::start(); }
std::vector<LaunchRecord> stopRecording() { return jit::recording::stop(); }

static Target &targetNamed(std::string_view name) {
  registerTargets();
  if (Target *target = TargetRegistry::find(name))
    return *target;
  throw InvalidInput("there is no target '" + std::string(name) + "' here");
}

std::vector<LaunchOption> launchOptions(std::string_view target) {
  std::vector<LaunchOption> result;
  for (auto rows : {TargetOptions::rows(), targetNamed(target).optionRows()})
    for (const OptionRow &row : rows)
      result.push_back({std::string(row.name), std::string(optionTypeName(row.type)),
                        std::string(row.defaultText), std::string(row.values),
                        std::string(optionEffectName(row.effect)), std::string(row.help)});
  return result;
}

void checkLaunchOptions(std::string_view target, const std::map<std::string, std::string> &options) {
  checkEnvironment(); // before anything is compiled
  targetNamed(target).readOptions(options);
}

NativeObject Kernel::nativeObject() const {
  ForkSection whole;
  const jit::Kernel &kernel = state->kernel->kernel();
  tt::GuardedContext context(spaceToCompile, "to compile a kernel");
  auto module = kernel.parse(context);
  cpu::requireNoRuntime(*module);
  Target &target = targetNamed("cpu");
  Artifact made = target.compile(*module, kernel.name(), *target.readOptions(kernel.options()), Form::Any);
  if (!made.waits.empty())
    throw Unsupported("cpu: a loop that may wait for another program, in code that leaves this process",
                      made.waits.front().loop);
  return {std::move(made.code), std::move(made.symbol), made.resources.scratchBytes, cpu::assertHookBytes};
}

void beginPromotionAtOnce() { jit::Foreground::begin(); }
void endPromotionAtOnce() { jit::Foreground::end(); }

static std::vector<Compiled::Stage> shown(std::vector<Stage> stages) {
  std::vector<Compiled::Stage> result;
  for (Stage &stage : stages)
    result.push_back({std::move(stage.name), std::move(stage.content), stage.binary});
  return result;
}

std::vector<Compiled::Stage> stages(std::string_view target, std::string_view source, std::string_view name,
                                    const std::map<std::string, std::string> &options) {
  ForkSection whole;
  Target &found = targetNamed(target);
  tt::GuardedContext context(spaceToCompile, "to compile a kernel");
  auto module = tt::parseModule(source, name, context);
  return shown(found.stages(*module, name, *found.readOptions(options)));
}

Compiled compile(std::string_view target, std::string_view source, std::string_view name,
                 const std::map<std::string, std::string> &options) {
  ForkSection whole;
  Target &found = targetNamed(target);
  tt::GuardedContext context(spaceToCompile, "to compile a kernel");
  auto module = tt::parseModule(source, name, context);
  Artifact made = found.compile(*module, name, *found.readOptions(options), Form::Any);
  Compiled result;
  result.stages = shown(std::move(made.stages));
  result.target = std::move(made.target);
  result.kernel = std::move(made.kernel);
  result.symbol = std::move(made.symbol);
  result.code = std::move(made.code);
  result.info = std::move(made.info);
  result.abi = made.abi;
  result.sharedBytes = made.resources.sharedBytes;
  result.warps = made.resources.warps;
  result.registers = made.resources.registers;
  result.spills = made.resources.spills;
  return result;
}

std::string Compiled::serialized() const {
  Artifact artifact;
  artifact.target = target;
  artifact.kernel = kernel;
  artifact.symbol = symbol;
  artifact.abi = abi;
  artifact.numerics = targetNamed(target).numerics();
  artifact.code = code;
  artifact.info = info;
  artifact.resources.sharedBytes = sharedBytes;
  artifact.resources.warps = warps;
  return serialize(artifact);
}

void waitForCompiles() { jit::waitForCompiles(); }

} // namespace trisect::runtime
