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
#include <cstring>

namespace trisect::tools {

TensorView viewOf(const Buffer &buffer, size_t argument, const std::string &name) {
  TensorView view;
  view.argument = static_cast<unsigned>(argument);
  view.name = name;
  view.address = buffer.address();
  view.type = buffer.type;
  view.shape = buffer.shape;
  view.strides.assign(buffer.shape.size(), 1);
  for (size_t d = buffer.shape.size(); d-- > 1;)
    view.strides[d - 1] = view.strides[d] * buffer.shape[d];
  return view;
}

TierUnderTest interpreterTier() {
  TierUnderTest tier;
  tier.name = "interp";
  tier.variants = {"", "op by op", "seeded", "overlay", "shadow"};
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
    std::vector<TensorView> tensors;
    std::vector<Finding> findings;
    if (variant == "shadow" && settings.sanitize != "off") {
      for (size_t n = 0; n < arguments.size(); ++n)
        if (arguments[n].buffer)
          tensors.push_back(viewOf(*arguments[n].buffer, n, program->parameters[n].name));
      request.tensors = tensors;
      options.sanitize = SanitizeOptions::parse(settings.sanitize);
      options.findings = &findings;
    }
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
