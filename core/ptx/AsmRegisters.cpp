//===- AsmRegisters.cpp - whether the registers of inline assembly hold what they must ------------------===//
#include "core/ptx/AsmRegisters.h"
#include <algorithm>
#include <set>

namespace trisect {

namespace {
class Written {
public:
  explicit Written(const AsmProgram &program)
      : registers(program.inputRegisters.begin(), program.inputRegisters.end()) {}

  bool covers(const AsmOperand &operand) const {
    if (!operand.parts.empty())
      return std::ranges::all_of(operand.parts, [&](const AsmOperand &part) { return covers(part); });
    return operand.isLiteral || operand.special != AsmSpecial::None || registers.contains(operand.reg);
  }
  bool covers(unsigned reg) const { return registers.contains(reg); }

  void add(const AsmOperand &operand) {
    for (const AsmOperand &part : operand.parts)
      add(part);
    if (operand.parts.empty() && !operand.isLiteral)
      registers.insert(operand.reg);
  }

private:
  std::set<unsigned> registers;
};

/// The registers that groups of elements begin and fill, one after the other.
size_t filled(std::span<const unsigned> registers, int64_t pack, std::span<const unsigned> sizes) {
  size_t next = 0;
  for (unsigned size : sizes)
    for (int64_t bytes = pack * size; bytes > 0; ++next)
      bytes -= next < registers.size() ? registers[next] : 4;
  return next;
}

std::string countProblem(const char *what, std::span<const unsigned> registers, int64_t pack,
                         std::span<const unsigned> sizes) {
  size_t needed = filled(registers, pack, sizes);
  if (needed == registers.size())
    return {};
  return "its constraints name " + std::to_string(registers.size()) + " registers of " + what +
         ", but groups of " + std::to_string(pack) + " elements fill " + std::to_string(needed);
}
} // namespace

std::string unwrittenRead(const AsmProgram &program) {
  Written written(program);
  for (const AsmInstr &instr : program.code) {
    bool stores = !instr.operands.empty() && instr.operands.front().address;
    bool good = !instr.guard || written.covers(*instr.guard);
    for (size_t n = stores ? 0 : 1; n < instr.operands.size(); ++n)
      good = good && written.covers(instr.operands[n]);
    if (!good)
      return textOf(instr) + " reads a register that nothing before it has written";
    if (!stores && !instr.operands.empty())
      written.add(instr.operands.front());
  }
  return {};
}

std::string registerCountProblem(const AsmProgram &program, int64_t pack, std::span<const unsigned> operands,
                                 std::span<const unsigned> results) {
  std::string problem = countProblem("operands", program.inputBytes, pack, operands);
  return problem.empty() ? countProblem("results", program.outputBytes, pack, results) : problem;
}

} // namespace trisect
