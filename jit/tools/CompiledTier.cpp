//===- CompiledTier.cpp - a compiled tier under test ----------------------------------------------------===//
#include "jit/tools/CompiledTier.h"
#include "backends/Targets.h"
#include "backends/target/Guards.h"
#include "backends/target/Target.h"
#include "core/support/Text.h"
#include "jit/tools/Mirror.h"

namespace trisect::tools {

namespace {
/// Options of a way of running.
OptionTexts optionsOf(const std::string &way) {
  if (way == "one warp")
    return {{"num_warps", "1"}};
  if (way == "eight warps")
    return {{"num_warps", "8"}};
  return {};
}

/// Compiles the form that the launch allows; a launch on a device sees copies of the buffers there.
class CompiledTest final : public Executable {
public:
  CompiledTest(const TestLaunch &test, const Place &place)
      : module(test.module), kernel(test.kernel), arguments(test.arguments), place(place),
        options(place.target->readOptions(optionsOf(test.way))),
        disjoint(test.way.empty() && place.device->memory().isHost()), first(compile(Form::Disjoint)) {}
  bool wantsTensors() const override { return disjoint; }

  void launch(const LaunchRequest &request) override {
    LaunchRequest there = request;
    there.device = place.where;
    std::optional<Mirror> mirror;
    std::vector<ArgBits> bits(request.args.begin(), request.args.end());
    if (!place.device->memory().isHost()) {
      mirror.emplace(place.device->memory(), rangesOf(arguments));
      for (size_t n = 0; n < bits.size(); ++n)
        bits[n] = mirror->there(arguments[n], bits[n]);
      there.args = bits;
    }
    place.device->load(holds(*first, there) ? first : compile(Form::Any))->launch(there);
    if (mirror)
      mirror->copyBack();
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
    if ((place.device = place.target->device(place.where)))
      return place;
  }
  throw InvalidInput("tier '" + name + "' has no device here");
}

TestedTier compiledTier(const std::string &name) {
  Place place = placeOf(name);
  TestedTier tier;
  tier.name = name;
  tier.mayRefuse = true;
  tier.ways = place.device->memory().isHost() ? std::vector<std::string>{"", "unknown overlap"}
                                              : std::vector<std::string>{"", "one warp", "eight warps"};
  tier.load = [place](const TestLaunch &test) { return std::make_unique<CompiledTest>(test, place); };
  return tier;
}

} // namespace trisect::tools
