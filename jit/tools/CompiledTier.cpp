//===- CompiledTier.cpp - a compiled tier under test ----------------------------------------------------===//
#include "jit/tools/CompiledTier.h"
#include "backends/Targets.h"
#include "backends/cpu/emulated/EmulatedDevice.h"
#include "backends/target/Guards.h"
#include "backends/target/Target.h"
#include "core/support/Text.h"
#include "jit/tools/Mirror.h"

namespace trisect::tools {

namespace {
/// Options of a way of running.
OptionTexts optionsOf(const Place &place, const std::string &way) {
  OptionTexts options = place.options;
  if (way == "one warp")
    options["num_warps"] = "1";
  if (way == "eight warps")
    options["num_warps"] = "8";
  return options;
}

/// Compiles the form that the launch allows; a launch on a device sees copies of the buffers there.
class CompiledTest final : public Executable {
public:
  CompiledTest(const TestLaunch &test, const Place &place)
      : module(test.module), kernel(test.kernel), arguments(test.arguments), place(place),
        options(place.target->readOptions(optionsOf(place, test.way))),
        disjoint(test.way.empty() && place.isProcessor), first(compile(Form::Disjoint)) {}
  bool wantsTensors() const override { return disjoint; }

  void launch(const LaunchRequest &request) override {
    LaunchRequest there = request;
    there.device = place.where;
    auto executable = place.device->load(holds(*first, request) ? first : compile(Form::Any));
    MemorySpace &memory = place.device->memory();
    if (memory.isHost())
      return executable->launch(there);
    auto descriptors = place.isProcessor ? Mirror::Descriptors::There : Mirror::Descriptors::Here;
    Mirror mirror(memory, rangesOf(arguments), descriptors);
    std::vector<ArgBits> bits(request.args.begin(), request.args.end());
    for (size_t n = 0; n < bits.size(); ++n)
      bits[n] = mirror.there(arguments[n], bits[n]);
    there.args = bits;
    executable->launch(there);
    mirror.copyBack();
  }

private:
  std::shared_ptr<const Artifact> compile(Form form) {
    return std::make_shared<const Artifact>(place.target->compile(module, kernel, *options, form));
  }

  mlir::ModuleOp module;
  std::string kernel;
  const std::vector<Argument> &arguments;
  Place place;
  std::unique_ptr<const TargetOptions> options;
  bool disjoint;
  std::shared_ptr<const Artifact> first;
};
} // namespace

Place placeOf(const std::string &name) {
  registerTargets();
  Place place{TargetRegistry::find(name), nullptr, {}};
  if (!place.target)
    throw InvalidInput("there is no tier '" + name + "' here; there are " + listed(TargetRegistry::names()));
  for (DeviceKind kind : {DeviceKind::Host, DeviceKind::Cuda, DeviceKind::Rocm}) {
    place.where = {kind, 0};
    place.isProcessor = kind == DeviceKind::Host;
    if ((place.device = place.target->device(place.where)))
      return place;
  }
  throw InvalidInput("tier '" + name + "' has no device here");
}

Place emulatedPlace(const std::string &machine, const std::string &worker, double limitSeconds) {
  Place place = placeOf("cpu");
  place.options = {{"arch", machine}};
  place.target->isa(*place.target->readOptions(place.options)); // that there is such a machine
  cpu::EmulatorCommands commands;
  commands.worker = worker;
  commands.limitSeconds = limitSeconds;
  place.own = cpu::emulatedDevice(commands);
  place.device = place.own.get();
  return place;
}

TestedTier compiledTier(const Place &place) {
  TestedTier tier;
  tier.name = place.target->name();
  tier.mayRefuse = true;
  tier.ways = place.isProcessor ? std::vector<std::string>{"", "unknown overlap"}
                                : std::vector<std::string>{"", "one warp", "eight warps"};
  tier.load = [place](const TestLaunch &test) { return std::make_unique<CompiledTest>(test, place); };
  return tier;
}

} // namespace trisect::tools
