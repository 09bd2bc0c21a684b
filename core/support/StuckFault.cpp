//===- StuckFault.cpp - deadlocks and time limits as faults ---------------------------------------------===//
#include "core/support/StuckFault.h"
#include <algorithm>

namespace trisect {

namespace {
constexpr size_t mostNamed = 4;
} // namespace

Fault StuckFault::fault(const std::string &kernel, const std::string &headline) {
  std::sort(programs.begin(), programs.end(),
            [](const StuckProgram &a, const StuckProgram &b) { return a.linear < b.linear; });
  Fault fault;
  fault.kind = FaultKind::Deadlock;
  fault.kernel = kernel;
  fault.message = "deadlock: " + headline;
  if (!programs.empty()) {
    fault.position = programs.front().position;
    fault.programId = programs.front().id;
  }
  for (size_t n = 0; n < std::min(programs.size(), mostNamed); ++n) {
    const StuckProgram &each = programs[n];
    std::string who = "program (" + std::to_string(each.id[0]) + ", " + std::to_string(each.id[1]) + ", " +
                      std::to_string(each.id[2]) + ")";
    fault.message += "\n  " + who + " at " + each.position.str();
    fault.details.emplace_back(who, (each.waits ? "waits at " : "runs at ") + each.position.str());
  }
  if (programs.size() > mostNamed)
    fault.message += "\n  and " + std::to_string(programs.size() - mostNamed) + " more";
  return fault;
}

KernelFault StuckFault::deadlock(const std::string &kernel) {
  return KernelFault(fault(kernel, std::to_string(programs.size()) +
                                       (programs.size() == 1 ? " program waits" : " programs wait") +
                                       " for a change of memory that no program left can make"));
}

KernelFault StuckFault::timeout(const std::string &kernel, int64_t seconds, int64_t finished, int64_t total) {
  Fault made =
      fault(kernel, "the launch did not end within " + std::to_string(seconds) + " s (TRISECT_TIMEOUT); " +
                        std::to_string(finished) + " of " + std::to_string(total) + " programs had finished");
  made.message += "\n  in kernel " + kernel;
  made.details.emplace_back("seconds", std::to_string(seconds));
  return KernelFault(std::move(made));
}

} // namespace trisect
