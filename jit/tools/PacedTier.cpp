//===- PacedTier.cpp - launches in turn -----------------------------------------------------------------===//
#include "jit/tools/PacedTier.h"
#include "backends/target/Guards.h"
#include "jit/tools/CompiledTier.h"
#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>

namespace trisect::tools {

namespace {
constexpr size_t launches = 41;
/// A run whose launches take longer in all has fewer of them.
constexpr double enoughNanoseconds = 0.3e9;

double processorTime() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

class PacedTest final : public Executable {
public:
  PacedTest(const TestLaunch &test, const Place &place)
      : test(test), place(place), options(place.target->readOptions({})),
        interpreted(interpreterTier().load(test)), artifact(compile(Form::Disjoint)) {}

  void launch(const LaunchRequest &request) override {
    LaunchRequest alone = request;
    alone.threads = 1;
    alone.device = place.where;
    if (!holds(*artifact, alone))
      artifact = compile(Form::Any);
    std::shared_ptr<Executable> compiled = place.device->load(artifact);
    keep();
    try {
      inTurn({interpreted.get(), compiled.get()}, alone);
    } catch (const Error &) {
      restore();
      return compiled->launch(request); // which meets it too
    }
    restore();
    compiled->launch(request);
  }

private:
  std::shared_ptr<const Artifact> compile(Form form) {
    return std::make_shared<const Artifact>(place.target->compile(test.module, test.kernel, *options, form));
  }

  void keep() {
    for (const Argument &argument : test.arguments)
      before.push_back(argument.buffer ? argument.buffer->data : std::vector<uint8_t>());
  }
  /// In place: the addresses are known already.
  void restore() {
    for (size_t n = 0; n < before.size(); ++n)
      if (const auto &buffer = test.arguments[n].buffer)
        std::ranges::copy(before[n], buffer->data.begin());
  }

  void inTurn(std::array<Executable *, 2> tiers, const LaunchRequest &request) {
    std::array<std::vector<double>, 2> taken;
    double whole = 0;
    for (size_t round = 0; round < launches + 2 && whole < enoughNanoseconds && !test.stop; ++round)
      for (size_t n = 0; n < tiers.size(); ++n) {
        size_t tier = round % 2 ? n : tiers.size() - 1 - n;
        restore();
        double start = processorTime();
        tiers[tier]->launch(request);
        double took = processorTime() - start;
        whole += took;
        if (round >= 2) // warm by then
          taken[tier].push_back(took);
      }
    if (taken[0].size() >= 4 && taken[1].size() >= 4)
      tell(taken);
  }

  void tell(std::array<std::vector<double>, 2> &taken) const {
    std::printf("paced %s", test.kernel.c_str());
    for (std::vector<double> &samples : taken) {
      std::ranges::sort(samples);
      for (size_t quarter = 1; quarter <= 3; ++quarter)
        std::printf(" %.0f", samples[samples.size() * quarter / 4]);
    }
    std::printf("\n");
  }

  TestLaunch test;
  Place place;
  std::unique_ptr<const TargetOptions> options;
  std::unique_ptr<Executable> interpreted;
  std::shared_ptr<const Artifact> artifact;
  std::vector<std::vector<uint8_t>> before;
};
} // namespace

TestedTier pacedTier(const std::string &name) {
  Place place = placeOf(name);
  if (!place.device->memory().isHost())
    throw InvalidInput("only a tier of the host is timed beside tier 0, and '" + name + "' is none");
  TestedTier tier;
  tier.name = name;
  tier.mayRefuse = true;
  tier.load = [place](const TestLaunch &test) { return std::make_unique<PacedTest>(test, place); };
  return tier;
}

} // namespace trisect::tools
