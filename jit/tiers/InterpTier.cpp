//===- InterpTier.cpp - tier 0 --------------------------------------------------------------------------===//
#include "jit/tiers/InterpTier.h"
#include "core/ir/Registry.h"
#include "core/support/Options.h"
#include "interp/exec/Recorder.h"
#include "interp/exec/Run.h"
#include "interp/program/Decode.h"

namespace trisect::jit {

namespace {
interp::RunOptions runOptions() {
  interp::RunOptions options;
  if (optionChoice(OptionId::Numerics).word == "cuda")
    options.numerics = interp::Numerics::Cuda;
  return options;
}
} // namespace

void InterpExecutable::launch(const LaunchRequest &request) { interp::run(*program, request, runOptions()); }

void InterpExecutable::launchSanitized(const LaunchRequest &request, const SanitizeOptions &sanitize) const {
  interp::RunOptions options = runOptions();
  options.sanitize = sanitize;
  interp::run(*program, request, options);
}

LaunchRecord InterpExecutable::launchRecorded(const LaunchRequest &request) const {
  interp::Recorder recorder(*program, request);
  interp::RunOptions options = runOptions();
  options.observer = &recorder;
  options.memory = &recorder;
  interp::run(*program, request, options);
  return recorder.take();
}

void InterpExecutable::runAside(const LaunchRequest &request, int64_t id, interp::Overlay &overlay) const {
  interp::RunOptions options = runOptions();
  options.programs = {&id, 1};
  options.overlay = &overlay;
  interp::run(*program, request, options);
}

std::unique_ptr<InterpExecutable> InterpTier::decode(const Kernel &kernel) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tt::loadDialects(context);
  auto module = kernel.parse(context);
  return std::make_unique<InterpExecutable>(interp::decode(*module, kernel.name()));
}

} // namespace trisect::jit
