//===- AsmAccess.cpp - loads and stores of inline assembly ----------------------------------------------===//
#include "core/ptx/AsmAccess.h"
#include "core/ptx/AsmTypes.h"

namespace trisect {

namespace {

bool isAccess(const AsmInstr &instr) { return instr.opcode == "ld" || instr.opcode == "st"; }

/// The width of `.global.b32` and the like; 0 if it is anything else.
unsigned accessBytes(const AsmInstr &instr) {
  if (instr.guard || instr.suffixes.size() != 2 || instr.suffixes[0] != "global" ||
      instr.operands.size() != 2)
    return 0;
  const std::string &type = instr.suffixes[1];
  unsigned bytes = ptx::widthOf(type);
  bool extends = instr.opcode == "ld" && type.front() == 's' && bytes < 4;
  return extends || bytes > 8 ? 0 : bytes;
}

} // namespace

AsmParts splitAccesses(const AsmProgram &program, std::string &problem) {
  AsmParts parts;
  auto values = std::make_shared<AsmProgram>(program);
  values->code.clear();
  bool stored = false;
  for (const AsmInstr &instr : program.code) {
    if (!isAccess(instr)) {
      if (stored)
        problem = textOf(instr) + " after a store";
      values->code.push_back(instr);
      continue;
    }
    bool loads = instr.opcode == "ld";
    const AsmOperand &address = instr.operands[loads ? 1 : 0], &data = instr.operands[loads ? 0 : 1];
    unsigned bytes = accessBytes(instr);
    if (loads && (stored || !values->code.empty()))
      problem = textOf(instr) + " after other instructions";
    else if (!bytes || !address.address || address.reg < program.outputs || data.isLiteral ||
             data.special != AsmSpecial::None || !data.parts.empty())
      problem = textOf(instr);
    if (!problem.empty())
      break;
    (loads ? parts.loads : parts.stores).push_back({address.reg - program.outputs, bytes});
    (loads ? values->inputRegisters : values->outputRegisters).push_back(data.reg);
    (loads ? values->inputBytes : values->outputBytes).push_back(bytes);
    stored |= !loads;
  }
  if (problem.empty())
    parts.values = std::move(values);
  return parts;
}

} // namespace trisect
