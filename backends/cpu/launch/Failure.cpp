//===- Failure.cpp - what a user is told ----------------------------------------------------------------===//
#include "backends/cpu/launch/Failure.h"
#include "backends/common/Fiber.h"
#include "backends/cpu/launch/OldBytes.h"
#include "core/support/BlockMemory.h"
#include "core/support/LoopStep.h"
#include <charconv>
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
  return Unsupported("cpu: the blocks of kernel " + artifact.kernel + " take " + std::to_string(bytes >> 20) +
                     " MiB on all threads, more than there is or TRISECT_MEMORY allows (" +
                     std::to_string(blockmemory::limit() >> 20) + " MiB); make them smaller");
}

KernelFault timeFault(const Failure &failed, const FailedLaunch &launch) {
  std::string seconds = std::to_string(launch.watch.limit().value_or(0));
  Fault fault;
  fault.kind = FaultKind::Deadlock;
  fault.kernel = launch.artifact.kernel;
  fault.programId = programOf(failed.begin, launch.grid);
  fault.message = "deadlock: the launch did not end within " + seconds + " s (TRISECT_TIMEOUT); at least " +
                  std::to_string(launch.finished) + " of " + std::to_string(launch.programs) +
                  " programs had finished\n  in compiled code of kernel " + fault.kernel + ", tier cpu, " +
                  programsText(failed, launch.grid) + "\n  TRISECT_TIER=interp names the lines";
  fault.details = {{"tier", "cpu"},
                   {"seconds", seconds},
                   {"first program", std::to_string(failed.begin)},
                   {"last program", std::to_string(failed.end - 1)}};
  return KernelFault(std::move(fault));
}

std::string hexadecimal(uint64_t number) {
  char digits[16];
  return "0x" + std::string(digits, std::to_chars(digits, digits + sizeof digits, number, 16).ptr);
}

KernelFault wildFault(const Failure &failed, const FailedLaunch &launch) {
  Fault fault;
  fault.kind = FaultKind::OutOfBounds;
  fault.kernel = launch.artifact.kernel;
  fault.programId = programOf(failed.begin, launch.grid);
  const WildAccess &wild = *failed.guard.wild;
  // The processor tells of an impossible address neither what it is nor what was to be done there.
  std::string what = wild.address ? (wild.write ? "write to" : "read of") + std::string(" address ") +
                                        hexadecimal(*wild.address)
                                  : "access to an address that no process can have";
  fault.message = "out-of-bounds: " + what + ", where there is no memory\n  in compiled code of kernel " +
                  fault.kernel + ", tier cpu, " + programsText(failed, launch.grid) +
                  "\n  TRISECT_TIER=interp names the line and the program";
  fault.details = {{"tier", "cpu"}};
  if (wild.address) {
    fault.details.emplace_back("access", wild.write ? "write" : "read");
    fault.details.emplace_back("address", hexadecimal(*wild.address));
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
    throw Unsupported("stack overflow: in kernel " + launch.artifact.kernel + ", tier cpu, " +
                      programsText(failed, launch.grid) +
                      " of a kernel whose programs wait for one another needs more than " +
                      std::to_string(StackPool::bytes >> 10) + " KiB of stack; TRISECT_TIER=interp runs it");
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
