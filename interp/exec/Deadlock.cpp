//===- Deadlock.cpp - programs that wait for nobody -----------------------------------------------------===//
#include "interp/exec/Deadlock.h"
#include <algorithm>

namespace trisect::interp {

StuckProgram stuckAt(const Instance &instance) {
  const Program &program = instance.program;
  StuckProgram entry{instance.linear, {instance.id[0], instance.id[1], instance.id[2]}, {}};
  entry.position = program.position(instance.code[instance.pc]);
  for (uint32_t at = instance.pc; at < program.code.size(); ++at) {
    const Instr &i = program.code[at];
    bool reads = i.opcode == Opcode::AtomicRmw || i.opcode == Opcode::AtomicCas || i.opcode == Opcode::Load ||
                 i.opcode == Opcode::AtomicLoad || i.opcode == Opcode::AtomicPoll;
    if (reads) {
      entry.position = program.position(i);
      break;
    }
    if (i.opcode == Opcode::Jump && i.target <= instance.pc)
      break;
  }
  return entry;
}

KernelFault deadlockFault(const Program &program, std::vector<StuckProgram> stuck) {
  std::sort(stuck.begin(), stuck.end(),
            [](const StuckProgram &a, const StuckProgram &b) { return a.linear < b.linear; });
  Fault fault;
  fault.kind = FaultKind::Deadlock;
  fault.kernel = program.kernel;
  fault.position = stuck.front().position;
  std::copy_n(stuck.front().id, 3, fault.programId.begin());
  auto place = [](const StuckProgram &each) {
    return "program (" + std::to_string(each.id[0]) + ", " + std::to_string(each.id[1]) + ", " +
           std::to_string(each.id[2]) + ") at " + each.position.str();
  };
  fault.message = "deadlock: " + std::to_string(stuck.size()) +
                  (stuck.size() == 1 ? " program waits" : " programs wait") +
                  " for a change of memory that no program left can make";
  for (size_t n = 0; n < std::min<size_t>(stuck.size(), 4); ++n) {
    fault.message += "\n  " + place(stuck[n]);
    fault.details.emplace_back("waiting", place(stuck[n]));
  }
  return KernelFault(std::move(fault));
}

} // namespace trisect::interp
