//===- EmulatedTier.cpp - tier 2 in the emulator, under test --------------------------------------------===//
#include "jit/tools/EmulatedTier.h"
#include "backends/cuda/emulate/EmulatedKernel.h"
#include "core/ir/Parse.h"
#include "jit/tools/PtxReader.h"

namespace trisect::tools {

namespace {
/// The kernel that ran last: the ways of a run share their code.
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

class EmulatedTest final : public Executable {
public:
  EmulatedTest(cuda::EmulatedKernel &kernel, uint64_t seed, std::atomic<bool> &stop)
      : kernel(kernel), seed(seed), stop(stop) {}
  bool wantsTensors() const override { return false; }
  void launch(const LaunchRequest &request) override {
    kernel.launch(request, seed, [&] { return stop.load(); });
  }

private:
  cuda::EmulatedKernel &kernel;
  uint64_t seed;
  std::atomic<bool> &stop;
};
} // namespace

TestedTier emulatedTier(unsigned seeds, unsigned warps) {
  TestedTier tier;
  tier.name = "cuda";
  tier.mayRefuse = true;
  // The empty name is the plain way: threads in turn.
  for (unsigned seed = 1; seed <= seeds; ++seed)
    tier.ways.push_back(std::to_string(seed));
  tier.load = [warps, last = std::make_shared<LastKernel>()](const TestLaunch &test) {
    cuda::EmitOptions options;
    options.warps = warps;
    options.disjoint = false;
    uint64_t seed = test.way.empty() ? 0 : std::stoull(test.way);
    return std::make_unique<EmulatedTest>(last->get(test.module, test.kernel, options), seed, test.stop);
  };
  return tier;
}

} // namespace trisect::tools
