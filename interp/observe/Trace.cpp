//===- Trace.cpp - lines and blocks for each instruction ------------------------------------------------===//
#include "interp/observe/Trace.h"
#include "interp/observe/Summary.h"

namespace trisect::interp {

namespace {

/// Control flow sets no value worth a line.
bool silent(const Instr &instr) {
  return instr.opcode == Opcode::Nop || instr.opcode == Opcode::Group || instr.opcode == Opcode::Jump ||
         instr.opcode == Opcode::RegionEnd;
}

} // namespace

void Trace::before(Instance &s, const Instr &i) {
  if (s.linear != program || silent(i))
    return;
  operands.clear();
  for (unsigned n = 0; n < i.numOperands; ++n)
    if (s.has(i, n))
      operands += (operands.empty() ? "" : ", ") + summarise(s, s.operandSlot(i, n));
}

void Trace::after(Instance &s, const Instr &i) {
  if (s.linear != program || silent(i))
    return;
  std::string line = s.program.position(i).str() + ": " + std::string(info(i.op).mnemonic);
  if (!operands.empty())
    line += " (" + operands + ")";
  for (unsigned n = 0; n < i.numResults; ++n) {
    SlotId slot = s.resultSlot(i, n);
    const std::string &source = s.program.strings[s.program.slots[slot].name];
    line += (n ? ", " : " -> ") + (source.empty() ? "" : source + " = ") + summarise(s, slot);
  }
  print(line);
}

void Probe::after(Instance &s, const Instr &i) {
  if (s.linear != program || silent(i))
    return;
  for (unsigned n = 0; n < i.numResults; ++n) {
    ProbedBlock block;
    block.instr = &i;
    block.slot = s.resultSlot(i, n);
    block.type = s.type(block.slot);
    block.shape = s.shape(block.slot).dims;
    block.data = elementsOf(s, block.slot);
    take(std::move(block));
  }
}

} // namespace trisect::interp
