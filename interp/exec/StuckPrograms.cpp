//===- StuckPrograms.cpp - deadlocks and time limits as faults ------------------------------------------===//
#include "interp/exec/StuckPrograms.h"
#include <algorithm>

namespace trisect::interp {

namespace {
constexpr size_t mostNamed = 4;
} // namespace

void StuckPrograms::add(const Instance &instance, const Instr &at, bool waits) {
  entries.push_back({instance.linear,
                     {instance.id[0], instance.id[1], instance.id[2]},
                     instance.program.position(at),
                     waits});
}

void StuckPrograms::addWaiting(const Instance &instance) {
  const Program &program = instance.program;
  if (instance.repeats() && instance.carriedChange)
    return add(instance, instance.code[instance.repetition->jump()], true);
  const Instr *found = &instance.code[instance.pc];
  for (uint32_t at = instance.pc; at < program.code.size(); ++at) {
    const Instr &i = program.code[at];
    if (readsMemory(i.opcode) && listsAddresses(i.opcode)) {
      found = &i;
      break;
    }
    if (i.opcode == Opcode::Jump && i.target <= instance.pc)
      break;
  }
  add(instance, *found, true);
}

void StuckPrograms::addRunning(const Instance &instance) {
  add(instance, instance.code[instance.pc ? instance.pc - 1 : 0], false);
}

Fault StuckPrograms::fault(const std::string &kernel, const std::string &headline) {
  std::sort(entries.begin(), entries.end(),
            [](const Entry &a, const Entry &b) { return a.linear < b.linear; });
  Fault fault;
  fault.kind = FaultKind::Deadlock;
  fault.kernel = kernel;
  fault.message = "deadlock: " + headline;
  if (!entries.empty()) {
    fault.position = entries.front().position;
    std::copy_n(entries.front().id, 3, fault.programId.begin());
  }
  for (size_t n = 0; n < std::min(entries.size(), mostNamed); ++n) {
    const Entry &each = entries[n];
    std::string who = "program (" + std::to_string(each.id[0]) + ", " + std::to_string(each.id[1]) + ", " +
                      std::to_string(each.id[2]) + ")";
    fault.message += "\n  " + who + " at " + each.position.str();
    fault.details.emplace_back(who, (each.waits ? "waits at " : "runs at ") + each.position.str());
  }
  if (entries.size() > mostNamed)
    fault.message += "\n  and " + std::to_string(entries.size() - mostNamed) + " more";
  return fault;
}

KernelFault StuckPrograms::deadlock(const std::string &kernel) {
  return KernelFault(fault(kernel, std::to_string(entries.size()) +
                                       (entries.size() == 1 ? " program waits" : " programs wait") +
                                       " for a change of memory that no program left can make"));
}

KernelFault StuckPrograms::timeout(const std::string &kernel, int64_t seconds, int64_t finished,
                                   int64_t total) {
  Fault made =
      fault(kernel, "the launch did not end within " + std::to_string(seconds) + " s (TRISECT_TIMEOUT); " +
                        std::to_string(finished) + " of " + std::to_string(total) + " programs had finished");
  made.message += "\n  in kernel " + kernel;
  made.details.emplace_back("seconds", std::to_string(seconds));
  return KernelFault(std::move(made));
}

} // namespace trisect::interp
