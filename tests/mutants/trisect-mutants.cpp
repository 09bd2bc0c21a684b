//===- trisect-mutants.cpp - how many mistakes of a compiler the settings find --------------------------===//
//
// What: runs run-test files on the CPU target with each kind of mistake at each place where it can be made:
// without comparison, to see whether the mistake shows in the results at all, then with the settings of
// TRISECT_CHECK, under which results must be right. Lists what escapes. Limits: each run is the first launch
// of its kernel.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/Targets.h"
#include "core/ir/Ops.h"
#include "core/ir/Parse.h"
#include "core/ir/TypeUtils.h"
#include "core/support/Options.h"
#include "core/support/Outcome.h"
#include "interp/tools/RunTest.h"
#include "jit/launch/TieredKernel.h"
#include "tests/mutants/MutantTarget.h"
#include "tests/mutants/Mutate.h"
#include <cstdio>
#include <map>

namespace {

using namespace trisect;

mutants::MutantTarget *mutant = nullptr; ///< owned by the registry

tools::TierUnderTest mutantTier() {
  registerTargets();
  // The registry is locked while it makes a target.
  static Target *right = TargetRegistry::find("cpu");
  if (!right)
    throw InvalidInput("there is no cpu tier here");
  TargetRegistry::add("mutant", []() -> std::unique_ptr<Target> {
    auto made = std::make_unique<mutants::MutantTarget>(*right);
    mutant = made.get();
    return made;
  });
  TargetRegistry::find("mutant");
  tools::TierUnderTest tier;
  tier.name = "cpu";
  tier.variants = {""};
  tier.mayRefuse = true;
  tier.launch = [](mlir::ModuleOp module, const tools::RunSettings &settings, const std::string &,
                   const std::vector<tools::Argument> &arguments, Grid grid, std::atomic<bool> &) {
    auto kernel = jit::TieredKernel::create(
        jit::Kernel::create(tt::printBytecode(module), settings.kernel, {{"tier", "mutant"}}));
    const auto &parameters = kernel->kernel().parameters();
    std::vector<ArgBits> bits;
    std::vector<TensorView> views;
    for (size_t n = 0; n < arguments.size() && n < parameters.size(); ++n) {
      bits.push_back(arguments[n].bitsFor(parameters[n].type));
      if (arguments[n].buffer)
        views.push_back(tools::viewOf(*arguments[n].buffer, n, parameters[n].name));
    }
    LaunchRequest request;
    request.grid = grid;
    request.args = bits;
    request.tensors = views;
    kernel->launch(request);
  };
  return tier;
}

bool allPass(const std::string &file, const tools::TierUnderTest &tier, double limit, std::string &why) {
  for (const tools::CaseResult &result : tools::runTestFile(file, tier, limit))
    if (result.verdict == tools::Verdict::Failed) {
      why = result.message;
      return false;
    }
  return true;
}

struct Count {
  int shown = 0, found = 0;
};

int run(const std::vector<std::string> &files) {
  tools::TierUnderTest tier = mutantTier();
  std::map<std::string, Count> counts;
  Count all;
  for (const std::string &file : files)
    for (const std::string &kind : mutants::kinds())
      for (mutant->kind = kind, mutant->site = 0;; ++mutant->site) {
        std::string why;
        mutant->applied = false;
        setOption(OptionId::Check, "off");
        bool hidden = allPass(file, tier, 20, why);
        if (!mutant->applied)
          break;
        setOption(OptionId::Check, std::nullopt);
        if (hidden)
          continue;
        bool found = allPass(file, tier, 20, why);
        for (Count *count : {&all, &counts[kind]})
          ++count->shown, count->found += found;
        if (!found)
          std::printf("escaped: %s, %s at place %u: %s\n", file.c_str(), kind.c_str(), mutant->site,
                      why.c_str());
      }
  for (const auto &[kind, count] : counts)
    std::printf("%-28s %4d of %4d found\n", kind.c_str(), count.found, count.shown);
  std::printf("%d of %d mistakes that show in results were found\n", all.found, all.shown);
  return all.found < all.shown;
}

} // namespace

int main(int argc, char **argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception &error) {
    std::fprintf(stderr, "trisect-mutants: %s\n", error.what());
    return 2;
  }
}
