//===- StuckPrograms.cpp - where instances stand --------------------------------------------------------===//
#include "interp/exec/StuckPrograms.h"

namespace trisect::interp {

void StuckPrograms::addAt(const Instance &instance, const Instr &at, bool waits) {
  add({instance.linear,
       {instance.id[0], instance.id[1], instance.id[2]},
       instance.program.position(at),
       waits});
}

void StuckPrograms::addWaiting(const Instance &instance) {
  const Program &program = instance.program;
  if (instance.repeats() && instance.carriedChange)
    return addAt(instance, instance.code[instance.repetition->jump()], true);
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
  addAt(instance, *found, true);
}

void StuckPrograms::addRunning(const Instance &instance) {
  addAt(instance, instance.code[instance.pc ? instance.pc - 1 : 0], false);
}

} // namespace trisect::interp
