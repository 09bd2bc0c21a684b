//===- InterpreterTier.cpp - tier 0 under test ----------------------------------------------------------===//
//
// Each run goes four ways that must agree: in strips, op by op, interleaved by a seed, and through an overlay
// whose bytes are copied over at the end.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Run.h"
#include "interp/program/Decode.h"
#include "interp/tools/RunTest.h"
#include <cstring>

namespace trisect::tools {

TierUnderTest interpreterTier() {
  TierUnderTest tier;
  tier.name = "interp";
  tier.variants = {"", "op by op", "seeded", "overlay"};
  tier.launch = [](mlir::ModuleOp module, const RunSettings &settings, const std::string &variant,
                   const std::vector<Argument> &arguments, Grid grid, std::atomic<bool> &stop) {
    auto program = interp::decode(module, settings.kernel);
    if (program->parameters.size() != arguments.size())
      throw InvalidInput("the kernel takes " + std::to_string(program->parameters.size()) + " arguments, " +
                         std::to_string(arguments.size()) + " are given");
    std::vector<ArgBits> bits;
    for (size_t n = 0; n < arguments.size(); ++n)
      bits.push_back(arguments[n].bitsFor(program->parameters[n].type));
    LaunchRequest request;
    request.grid = grid;
    request.args = bits;
    interp::RunOptions options;
    options.numerics = settings.cudaNumerics ? interp::Numerics::Cuda : interp::Numerics::Ieee;
    options.threads = settings.threads;
    options.seed = settings.seed;
    options.interrupt = &stop;
    options.print = [](std::string_view) {};
    interp::Overlay overlay;
    if (variant == "op by op")
      options.fused = false;
    if (variant == "seeded" && !options.seed)
      options.seed = 7;
    if (variant == "overlay")
      options.overlay = &overlay;
    interp::run(*program, request, options);
    overlay.forEachWrite([](uint64_t address, std::span<const uint8_t> bytes, std::span<const uint8_t> mask) {
      for (size_t at = 0; at < bytes.size(); ++at)
        if (mask[at])
          reinterpret_cast<uint8_t *>(address)[at] = bytes[at];
    });
  };
  return tier;
}

} // namespace trisect::tools
