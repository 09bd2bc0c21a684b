//===- Hoist.cpp - what is the same for all programs of a launch ----------------------------------------===//
//
// Pure instructions over constants, parameters and each other give every program the same result: they move
// to the front, run once for each worker, and their slots stay. Nothing they compute can trap, so it does not
// matter whether a program would have reached them.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/program/Optimize.h"

namespace trisect::interp {

void hoistUniform(Program &program) {
  size_t count = program.code.size();
  std::vector<bool> uniform(program.slots.size()), hoists(count, false);
  for (size_t slot = 0; slot < program.slots.size(); ++slot)
    uniform[slot] = program.slots[slot].constant;
  uint32_t regionEnd = 0;
  for (uint32_t at = 0; at < count; ++at) {
    const Instr &i = program.code[at];
    if (hasRegion(i.opcode))
      regionEnd = i.target;
    if (at < regionEnd || !isPure(i.opcode) || i.opcode == Opcode::ProgramId)
      continue;
    bool all = true;
    for (uint32_t use : program.operands(i))
      if (SlotId slot = use & ~lastUseBit; slot != noSlot)
        all &= uniform[slot];
    if (!all)
      continue;
    hoists[at] = true;
    for (uint32_t slot : program.results(i))
      uniform[slot] = true;
  }
  std::vector<Instr> code;
  code.reserve(count);
  for (uint32_t at = 0; at < count; ++at)
    if (hoists[at]) {
      code.push_back(program.code[at]);
      for (uint32_t slot : program.results(program.code[at]))
        program.slots[slot].constant = true;
    }
  program.uniformEnd = static_cast<uint32_t>(code.size());
  std::vector<uint32_t> moved(count + 1);
  for (uint32_t at = 0; at < count; ++at) {
    moved[at] = static_cast<uint32_t>(code.size());
    if (!hoists[at])
      code.push_back(program.code[at]);
  }
  moved[count] = static_cast<uint32_t>(code.size());
  program.code = std::move(code);
  retarget(program, moved);
}

} // namespace trisect::interp
