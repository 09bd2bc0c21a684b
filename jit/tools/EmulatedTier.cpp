//===- EmulatedTier.cpp - tier 2 in the emulator, under test --------------------------------------------===//
#include "jit/tools/EmulatedTier.h"
#include "backends/cuda/emulate/EmulatedKernel.h"
#include "core/ir/Ops.h"
#include "core/ir/Parse.h"
#include "core/ir/TypeUtils.h"
#include "jit/tools/PtxReader.h"

namespace trisect::tools {

namespace {
tt::FuncOp kernelOf(mlir::ModuleOp module, const std::string &name) {
  for (auto function : module.getOps<tt::FuncOp>())
    if (name.empty() ? function.isPublic() : function.getSymName() == name)
      return function;
  throw InvalidInput("the module has no kernel '" + name + "'");
}

/// The kernel that ran last: the variants of a run share their code.
class LastKernel {
public:
  cuda::EmulatedKernel &get(mlir::ModuleOp module, const std::string &kernel,
                            const cuda::EmitOptions &options) {
    std::string wanted = kernel + "\n" + tt::printModule(module);
    if (!code || wanted != text) {
      code.reset();
      code = std::make_unique<cuda::EmulatedKernel>(module, kernel, options, readPtx);
      text = std::move(wanted);
    }
    return *code;
  }

private:
  std::string text;
  std::unique_ptr<cuda::EmulatedKernel> code;
};
} // namespace

TierUnderTest emulatedTier(unsigned seeds, unsigned warps) {
  TierUnderTest tier;
  tier.name = "cuda";
  tier.mayRefuse = true;
  // The empty name is the plain way: threads in turn.
  tier.variants = {""};
  for (unsigned seed = 1; seed <= seeds; ++seed)
    tier.variants.push_back(std::to_string(seed));
  tier.launch = [warps, last = std::make_shared<LastKernel>()](
                    mlir::ModuleOp module, const RunSettings &settings, const std::string &variant,
                    const std::vector<Argument> &arguments, Grid grid, std::atomic<bool> &stop) {
    tt::FuncOp kernel = kernelOf(module, settings.kernel);
    if (kernel.getNumArguments() != arguments.size())
      throw InvalidInput("the kernel takes " + std::to_string(kernel.getNumArguments()) + " arguments, " +
                         std::to_string(arguments.size()) + " are given");
    cuda::EmitOptions options;
    options.warps = warps;
    options.disjoint = false;
    cuda::EmulatedKernel &compiled = last->get(module, kernel.getSymName().str(), options);
    std::vector<ArgBits> bits;
    for (size_t n = 0; n < arguments.size(); ++n) {
      DType type = tt::dtypeOf(kernel.getArgumentTypes()[n]).value_or(DType::Ptr);
      bits.push_back(arguments[n].bitsFor(type));
    }
    compiled.launch({grid, bits, {}, nullptr}, variant.empty() ? 0 : std::stoull(variant),
                    [&] { return stop.load(); });
  };
  return tier;
}

} // namespace trisect::tools
