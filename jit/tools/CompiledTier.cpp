//===- CompiledTier.cpp - a compiled tier under test ----------------------------------------------------===//
#include "jit/tools/CompiledTier.h"
#include "backends/Targets.h"
#include "backends/target/Guards.h"
#include "backends/target/Target.h"
#include "core/ir/Ops.h"
#include "core/ir/TypeUtils.h"
#include "jit/tools/Mirror.h"

namespace trisect::tools {

namespace {
tt::FuncOp kernelOf(mlir::ModuleOp module, const std::string &name) {
  for (auto function : module.getOps<tt::FuncOp>())
    if (name.empty() ? function.isPublic() : function.getSymName() == name)
      return function;
  throw InvalidInput("the module has no kernel '" + name + "'");
}

TensorView viewOf(const Buffer &buffer, unsigned argument) {
  TensorView view;
  view.argument = argument;
  view.name = "arg" + std::to_string(argument);
  view.address = buffer.address();
  view.type = buffer.type;
  view.shape = {buffer.elements()};
  view.strides = {1};
  return view;
}
/// The first device that runs a target's code, of whatever kind; null if there is none.
Device *deviceOf(Target &target, DeviceId &where) {
  for (DeviceKind kind : {DeviceKind::Host, DeviceKind::Cuda, DeviceKind::Rocm}) {
    where = {kind, 0};
    if (Device *device = target.device(where))
      return device;
  }
  return nullptr;
}

/// Options of a variant.
OptionTexts optionsOf(const std::string &variant) {
  if (variant == "one warp")
    return {{"num_warps", "1"}};
  if (variant == "eight warps")
    return {{"num_warps", "8"}};
  return {};
}
} // namespace

TierUnderTest compiledTier(const std::string &name) {
  registerTargets();
  Target *target = TargetRegistry::find(name);
  if (!target)
    throw InvalidInput("there is no tier '" + name + "' here");
  DeviceId where;
  Device *device = deviceOf(*target, where);
  if (!device)
    throw InvalidInput("tier '" + name + "' has no device here");
  TierUnderTest tier;
  tier.name = name;
  tier.mayRefuse = true;
  bool onHost = device->memory().isHost();
  tier.variants = onHost ? std::vector<std::string>{"", "unknown overlap"}
                         : std::vector<std::string>{"", "one warp", "eight warps"};
  tier.launch = [=](mlir::ModuleOp module, const RunSettings &settings, const std::string &variant,
                    const std::vector<Argument> &arguments, Grid grid, std::atomic<bool> &) {
    tt::FuncOp kernel = kernelOf(module, settings.kernel);
    if (kernel.getNumArguments() != arguments.size())
      throw InvalidInput("the kernel takes " + std::to_string(kernel.getNumArguments()) + " arguments, " +
                         std::to_string(arguments.size()) + " are given");
    std::optional<Mirror> mirror;
    if (!onHost)
      mirror.emplace(device->memory(), arguments);
    std::vector<ArgBits> bits;
    std::vector<TensorView> views;
    for (size_t n = 0; n < arguments.size(); ++n) {
      DType type = tt::dtypeOf(kernel.getArgumentTypes()[n]).value_or(DType::Ptr);
      bits.push_back(arguments[n].bitsFor(type));
      if (mirror)
        bits.back() = mirror->translated(n, bits.back());
      else if (arguments[n].buffer && variant.empty())
        views.push_back(viewOf(*arguments[n].buffer, static_cast<unsigned>(n)));
    }
    LaunchRequest request{grid, bits, views};
    request.threads = static_cast<unsigned>(settings.threads);
    request.device = where;
    auto options = target->readOptions(optionsOf(variant));
    auto compile = [&](Form form) {
      return std::make_shared<const Artifact>(
          target->compile(module, kernel.getSymName().str(), *options, form));
    };
    auto artifact = compile(Form::Disjoint);
    if (!holds(*artifact, request))
      artifact = compile(Form::Any);
    device->load(artifact)->launch(request);
    if (mirror)
      mirror->copyBack();
  };
  return tier;
}

} // namespace trisect::tools
