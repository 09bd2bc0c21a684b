//===- InterpExecutable.cpp - tier 0 --------------------------------------------------------------------===//
#include "jit/reference/InterpExecutable.h"
#include "backends/target/Memory.h"
#include "core/ir/GuardedContext.h"
#include "core/support/Finding.h"
#include "core/support/ForkGate.h"
#include "core/support/Options.h"
#include "core/support/Outcome.h"
#include "interp/observe/Recorder.h"
#include "interp/program/Decode.h"
#include "interp/run/Run.h"
#include "jit/reference/PageReader.h"
#include "jit/reference/Transfers.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <algorithm>
#include <numeric>

namespace trisect::jit {

namespace {
interp::RunOptions runOptions() {
  interp::RunOptions options;
  if (optionChoice(OptionId::Numerics).word == "cuda")
    options.numerics = interp::Numerics::Cuda;
  return options;
}

std::vector<int64_t> idsOf(ProgramRange programs) {
  std::vector<int64_t> ids(static_cast<size_t>(programs.count));
  std::iota(ids.begin(), ids.end(), programs.first);
  return ids;
}

/// The programs of a part of the grid; empty means all.
std::vector<int64_t> idsOf(const LaunchRequest &request) {
  return request.part ? idsOf(*request.part) : std::vector<int64_t>();
}
} // namespace

void InterpExecutable::launch(const LaunchRequest &request) {
  std::vector<int64_t> ids = idsOf(request);
  interp::RunOptions options = runOptions();
  options.programs = ids;
  options.threads = static_cast<int>(request.threads);
  run(request, options);
}

// Of a launch on a device all writes are kept aside until it has come to its end, also one that ends with a
// fault. `withMemory` gets the memory of the run, null for the host's, before it begins.
void InterpExecutable::run(const LaunchRequest &request, interp::RunOptions &options,
                           const std::function<void(interp::MemoryPolicy *)> &withMemory) const {
  if (request.device.kind == DeviceKind::Host) {
    withMemory(nullptr);
    return interp::run(*program, request, options);
  }
  MemorySpace *memory = memoryOf(request.device);
  if (!memory)
    throw Unsupported("tier 0 cannot reach the memory of these arguments");
  memory->sync(request.stream);
  interp::Overlay overlay = overlayOver(*memory);
  options.overlay = &overlay;
  withMemory(&overlay);
  auto finish = [&] {
    writeBack(overlay, *memory);
    memory->sync(request.stream);
  };
  try {
    interp::run(*program, request, options);
  } catch (...) {
    finish();
    throw;
  }
  finish();
}

void InterpExecutable::launchSanitized(const LaunchRequest &request, const SanitizeOptions &sanitize) const {
  interp::RunOptions options = runOptions();
  options.sanitize = sanitize;
  run(request, options);
}

LaunchRecord InterpExecutable::launchRecorded(const LaunchRequest &request) const {
  std::optional<interp::Recorder> recorder;
  interp::RunOptions options = runOptions();
  run(request, options, [&](interp::MemoryPolicy *memory) {
    recorder.emplace(*program, request, memory);
    options.observer = &*recorder;
    options.memory = &*recorder;
  });
  return recorder->take();
}

void InterpExecutable::runAside(const LaunchRequest &request, ProgramRange programs, interp::Overlay &overlay,
                                interp::Observer *observer) const {
  interp::RunOptions options = runOptions();
  options.overlay = &overlay;
  options.observer = observer;
  options.print = [](std::string_view) {};
  for (int64_t id = programs.first; id < programs.first + programs.count; ++id) {
    options.programs = {&id, 1};
    interp::run(*program, request, options);
  }
}

void InterpExecutable::runTogether(const LaunchRequest &request, ProgramRange programs,
                                   interp::Overlay &overlay) const {
  std::vector<int64_t> ids = idsOf(programs);
  interp::RunOptions options = runOptions();
  options.overlay = &overlay;
  options.print = [](std::string_view) {};
  options.programs = ids;
  interp::run(*program, request, options);
}

std::optional<std::string> InterpExecutable::flawOf(const LaunchRequest &request,
                                                    ProgramRange programs) const {
  constexpr FaultKind open[] = {FaultKind::UndefinedValue, FaultKind::StoreConflict, FaultKind::BrokenHint};
  std::vector<int64_t> ids = idsOf(programs);
  std::vector<Finding> findings;
  interp::RunOptions options = runOptions();
  options.programs = ids;
  options.print = [](std::string_view) {};
  options.findings = &findings;
  for (FaultKind kind : open)
    options.sanitize.add(kind);
  try {
    interp::run(*program, request, options);
  } catch (const KernelFault &fault) {
    if (std::find(std::begin(open), std::end(open), fault.fault().kind) != std::end(open)) {
      std::string text = fault.what();
      return text.substr(0, text.find('\n'));
    }
  } catch (const Error &) {
    // What else keeps it from being looked at says nothing of the kernel.
    return std::nullopt;
  }
  return std::nullopt;
}

std::unique_ptr<InterpExecutable> InterpExecutable::decode(const Kernel &kernel) {
  ForkSection whole;
  tt::GuardedContext context;
  auto module = kernel.parse(context);
  return std::make_unique<InterpExecutable>(interp::decode(*module, kernel.name()));
}

} // namespace trisect::jit
