//===- AsmMachine.h - what the PTX subset does ----------------------------------------------------------===//
//
// What: checks that every instruction of a parsed text is known, and runs it over 64-bit registers.
// Limits: value instructions of one lane; the lists are in AsmMachine.cpp, AsmFloat.cpp and AsmConvert.cpp.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_PROGRAM_ASMMACHINE_H
#define TRISECT_INTERP_PROGRAM_ASMMACHINE_H

#include "core/ptx/AsmText.h"
#include <optional>

namespace trisect::interp {

/// Empty, or the first instruction that is not known, as text.
std::string unknownInstruction(const AsmProgram &program);

class AsmMachine {
public:
  explicit AsmMachine(const AsmProgram &program) : program(program), registers(program.registers, 0) {}

  void set(unsigned reg, uint64_t bits) { registers[reg] = bits; }
  uint64_t get(unsigned reg) const { return registers[reg]; }
  void run();

private:
  friend std::string unknownInstruction(const AsmProgram &program);
  /// False if the instruction is not known.
  bool execute(const AsmInstr &instr);
  bool floatOp(const AsmInstr &instr, const std::string &type);
  bool integerOp(const AsmInstr &instr, const std::string &type);
  // Of integerOp; nothing if the instruction is not one of theirs.
  std::optional<uint64_t> arithmetic(const AsmInstr &instr, const std::string &type);
  std::optional<uint64_t> bitwise(const AsmInstr &instr, const std::string &type);
  std::optional<uint64_t> shift(const AsmInstr &instr, const std::string &type);
  std::optional<uint64_t> field(const AsmInstr &instr, const std::string &type);
  void multiply(const AsmInstr &instr, const std::string &type);
  /// Operand `n` cut to the type; 0 for one that the instruction does not have.
  uint64_t operand(const AsmInstr &instr, size_t n, const std::string &type) const;
  bool convert(const AsmInstr &instr);
  bool convertSmall(const AsmInstr &instr);
  bool compare(const AsmInstr &instr);
  uint64_t read(const AsmOperand &operand) const;
  /// `{a, b}` as one number of `bytes` bytes.
  uint64_t readParts(const AsmOperand &operand, unsigned bytes) const;
  void write(const AsmOperand &operand, uint64_t bits, unsigned bytes);

  const AsmProgram &program;
  std::vector<uint64_t> registers;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_PROGRAM_ASMMACHINE_H
