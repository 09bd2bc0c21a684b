//===- InterpreterTier.cpp - tier 0 under test ----------------------------------------------------------===//
//
// Each run goes five ways that must agree: in strips, op by op, interleaved by a seed, through an overlay
// whose bytes are copied over at the end, and in shadow mode, which must have nothing to say unless the run
// expects it.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/program/Decode.h"
#include "interp/run/Run.h"
#include "interp/tools/RunTest.h"

namespace trisect::tools {

namespace {
class InterpretedTest final : public Executable {
public:
  explicit InterpretedTest(const TestLaunch &test)
      : program(interp::decode(test.module, test.kernel)), way(test.way), sanitize(test.settings.sanitize) {
    options.numerics = test.settings.cudaNumerics ? interp::Numerics::Cuda : interp::Numerics::Ieee;
    options.seed = test.settings.seed;
    options.interrupt = &test.stop;
    options.print = [](std::string_view) {};
    if (way == "op by op")
      options.fused = false;
    if (way == "seeded" && !options.seed)
      options.seed = 7;
  }
  bool wantsTensors() const override { return way == "shadow" && sanitize != "off"; }

  void launch(const LaunchRequest &request) override {
    options.threads = static_cast<int>(request.threads);
    if (wantsTensors())
      return launchShadowed(request);
    interp::Overlay overlay;
    if (way == "overlay")
      options.overlay = &overlay;
    interp::run(*program, request, options);
    overlay.forEachWrite([](uint64_t address, std::span<const uint8_t> bytes, std::span<const uint8_t> mask) {
      for (size_t at = 0; at < bytes.size(); ++at)
        if (mask[at])
          reinterpret_cast<uint8_t *>(address)[at] = bytes[at];
    });
  }

private:
  void launchShadowed(LaunchRequest request) {
    std::vector<TensorView> tensors(request.tensors.begin(), request.tensors.end());
    for (TensorView &tensor : tensors)
      tensor.name = program->parameters[tensor.argument].name;
    request.tensors = tensors;
    std::vector<Finding> findings;
    options.sanitize = SanitizeOptions::parse(sanitize);
    options.findings = &findings;
    interp::run(*program, request, options);
  }

  std::shared_ptr<const interp::Program> program;
  std::string way, sanitize;
  interp::RunOptions options;
};
} // namespace

TestedTier interpreterTier() {
  TestedTier tier;
  tier.name = "interp";
  tier.ways = {"", "op by op", "seeded", "overlay", "shadow"};
  tier.load = [](const TestLaunch &test) { return std::make_unique<InterpretedTest>(test); };
  return tier;
}

} // namespace trisect::tools
