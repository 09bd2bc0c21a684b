//===- Failure.cpp - what a user is told ----------------------------------------------------------------===//
#include "backends/cpu/launch/Failure.h"
#include "backends/common/Fiber.h"
#include "backends/cpu/launch/OldBytes.h"
#include "core/support/BlockMemory.h"
#include "core/support/LoopStep.h"
#include "llvm/Support/FormatVariadic.h"
#include <new>

namespace trisect::cpu {

// Compiled frames hold nothing that must be cleaned up.
void assertionFailed(AssertHook *hook, int64_t assertion, int64_t value) {
  auto *failed = static_cast<Failure *>(hook->context);
  failed->assertion = assertion;
  failed->value = value;
  failed->program = hook->program;
  std::longjmp(failed->back, 1);
}

void untriedPath(AssertHook *hook, int64_t path) {
  auto *failed = static_cast<Failure *>(hook->context);
  bool wrote = hook->keeps && hook->written;
  if (!failed->watch->comes(static_cast<size_t>(path), hook->program, /*lasts=*/wrote && !hook->old->whole()))
    return;
  if (wrote)
    hook->old->putBack();
  failed->atPath = true;
  failed->program = hook->program;
  std::longjmp(failed->back, 1);
}

void keepFirst(std::optional<Failure> &kept, const Failure &failed) {
  if (!kept || kept->atPath || (kept->guard.left && !failed.atPath))
    kept = failed;
}

std::array<int32_t, 3> programOf(int64_t linear, const Grid &grid) {
  return {static_cast<int32_t>(linear % grid.x), static_cast<int32_t>(linear / grid.x % grid.y),
          static_cast<int32_t>(linear / grid.x / grid.y)};
}

namespace {
std::string programText(std::array<int32_t, 3> program) {
  auto [x, y, z] = program;
  return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
}

std::string programsText(const Failure &failed, const Grid &grid) {
  if (failed.end - failed.begin == 1)
    return "program " + programText(programOf(failed.begin, grid));
  return "one of the programs from " + programText(programOf(failed.begin, grid)) + " to " +
         programText(programOf(failed.end - 1, grid));
}

Unsupported tooLarge(const Artifact &artifact, int64_t bytes) {
  return Unsupported(
      llvm::formatv("cpu: the blocks of kernel {0} take {1} MiB on all threads, more than there "
                    "is or TRISECT_MEMORY allows ({2} MiB); make them smaller",
                    artifact.kernel, bytes >> 20, blockmemory::limit() >> 20)
          .str());
}

KernelFault timeFault(const Failure &failed, const FailedLaunch &launch) {
  int64_t seconds = launch.watch.limit().value_or(0);
  Fault fault;
  fault.kind = FaultKind::Deadlock;
  fault.kernel = launch.artifact.kernel;
  fault.programId = programOf(failed.begin, launch.grid);
  fault.message = llvm::formatv("deadlock: the launch did not end within {0} s (TRISECT_TIMEOUT); at least "
                                "{1} of {2} programs had finished\n  in compiled code of kernel {3}, tier "
                                "cpu, {4}\n  TRISECT_TIER=interp names the lines",
                                seconds, launch.finished, launch.programs, fault.kernel,
                                programsText(failed, launch.grid))
                      .str();
  fault.details = {{"tier", "cpu"},
                   {"seconds", std::to_string(seconds)},
                   {"first program", std::to_string(failed.begin)},
                   {"last program", std::to_string(failed.end - 1)}};
  return KernelFault(std::move(fault));
}

KernelFault wildFault(const Failure &failed, const FailedLaunch &launch) {
  Fault fault;
  fault.kind = FaultKind::OutOfBounds;
  fault.kernel = launch.artifact.kernel;
  fault.programId = programOf(failed.begin, launch.grid);
  const WildAccess &wild = *failed.guard.wild;
  // The processor tells of an impossible address neither what it is nor what was to be done there.
  std::string what =
      wild.address
          ? llvm::formatv("{0} address {1:x}", wild.write ? "write to" : "read of", *wild.address).str()
          : "access to an address that no process can have";
  fault.message = "out-of-bounds: " + what + ", where there is no memory\n  in compiled code of kernel " +
                  fault.kernel + ", tier cpu, " + programsText(failed, launch.grid) +
                  "\n  TRISECT_TIER=interp names the line and the program";
  fault.details = {{"tier", "cpu"}};
  if (wild.address) {
    fault.details.emplace_back("access", wild.write ? "write" : "read");
    fault.details.emplace_back("address", llvm::formatv("{0:x}", *wild.address).str());
  }
  fault.details.emplace_back("first program", std::to_string(failed.begin));
  fault.details.emplace_back("last program", std::to_string(failed.end - 1));
  return KernelFault(std::move(fault));
}

KernelFault assertFault(const Failure &failed, const FailedLaunch &launch) {
  const Assertion &assertion = launch.artifact.asserts[static_cast<size_t>(failed.assertion)];
  bool user = assertion.kind == AssertionKind::User;
  Fault fault;
  fault.kind = user ? FaultKind::Assert : FaultKind::UndefinedValue;
  fault.kernel = launch.artifact.kernel;
  fault.position = assertion.position;
  fault.programId = programOf(failed.program, launch.grid);
  bool step = assertion.kind == AssertionKind::LoopStep;
  std::string headline =
      user ? "assertion failed" + (assertion.message.empty() ? "" : ": " + assertion.message)
           : "undefined-value: " + (step ? badLoopStep(failed.value) : assertion.message);
  fault.message = headline + "\n  at " + assertion.position.str() + ", in program " +
                  programText(fault.programId) + " of kernel " + fault.kernel +
                  "\n  compiled code stops here; TRISECT_TIER=interp names the element";
  if (user)
    fault.details = {{"message", assertion.message}};
  else if (step)
    fault.details = {{"step", std::to_string(failed.value)}};
  return KernelFault(std::move(fault));
}
} // namespace

void fail(const Failure &failed, const FailedLaunch &launch) {
  if (failed.noStack)
    throw Unsupported(llvm::formatv("stack overflow: in kernel {0}, tier cpu, {1} of a kernel whose programs "
                                    "wait for one another needs more than {2} KiB of stack; "
                                    "TRISECT_TIER=interp runs it",
                                    launch.artifact.kernel, programsText(failed, launch.grid),
                                    StackPool::bytes >> 10)
                          .str());
  if (failed.guard.wild)
    throw wildFault(failed, launch);
  if (failed.noScratch && launch.scratchBytes == 0)
    throw std::bad_alloc();
  if (failed.noScratch)
    throw tooLarge(launch.artifact, launch.scratchBytes);
  if (!failed.guard.left)
    throw assertFault(failed, launch);
  if (launch.watch.ordered() == LaunchWatch::Order::Interrupt)
    throw Interrupted();
  throw timeFault(failed, launch);
}

void checkScratch(const Artifact &artifact, int64_t bytes) {
  constexpr int64_t always = int64_t(64) << 20;
  if (bytes <= always)
    return;
  blockmemory::readLimit();
  if (bytes > blockmemory::limit())
    throw tooLarge(artifact, bytes);
}

} // namespace trisect::cpu
