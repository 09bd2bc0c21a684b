//===- CompiledTier.cpp - a compiled tier under test ----------------------------------------------------===//
#include "jit/tools/CompiledTier.h"
#include "backends/Targets.h"
#include "backends/target/Guards.h"
#include "backends/target/Target.h"
#include "core/ir/Ops.h"
#include "core/ir/TypeUtils.h"

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
} // namespace

TierUnderTest compiledTier(const std::string &name) {
  registerTargets();
  Target *target = TargetRegistry::find(name);
  if (!target)
    throw InvalidInput("there is no tier '" + name + "' here");
  Device *device = target->device({});
  if (!device)
    throw InvalidInput("tier '" + name + "' compiles ahead of time only");
  TierUnderTest tier;
  tier.name = name;
  tier.mayRefuse = true;
  tier.variants = {"", "unknown overlap"};
  tier.launch = [target, device](mlir::ModuleOp module, const RunSettings &settings,
                                 const std::string &variant, const std::vector<Argument> &arguments,
                                 Grid grid, std::atomic<bool> &) {
    tt::FuncOp kernel = kernelOf(module, settings.kernel);
    if (kernel.getNumArguments() != arguments.size())
      throw InvalidInput("the kernel takes " + std::to_string(kernel.getNumArguments()) + " arguments, " +
                         std::to_string(arguments.size()) + " are given");
    std::vector<ArgBits> bits;
    std::vector<TensorView> views;
    for (size_t n = 0; n < arguments.size(); ++n) {
      DType type = tt::dtypeOf(kernel.getArgumentTypes()[n]).value_or(DType::Ptr);
      bits.push_back(arguments[n].bitsFor(type));
      if (arguments[n].buffer && variant.empty())
        views.push_back(viewOf(*arguments[n].buffer, static_cast<unsigned>(n)));
    }
    LaunchRequest request{grid, bits, views};
    request.threads = static_cast<unsigned>(settings.threads);
    auto options = target->readOptions({});
    auto compile = [&](Form form) {
      return std::make_shared<const Artifact>(
          target->compile(module, kernel.getSymName().str(), *options, form));
    };
    auto artifact = compile(Form::Disjoint);
    if (!holds(*artifact, request))
      artifact = compile(Form::Any);
    device->load(artifact)->launch(request);
  };
  return tier;
}

} // namespace trisect::tools
