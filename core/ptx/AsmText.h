//===- AsmText.h - the subset of PTX that inline assembly may use ---------------------------------------===//
//
// What: takes the text of an elementwise_inline_asm op apart: instructions over registers, operands by
// number. Why: users put value instructions there (cvt, prmt, lop3, shf, mul.hi, fma, min, max, mov and
// packed forms), now and then around loads and stores of their own. Limits: every other instruction and
// labels are refused by name, never guessed.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_PTX_ASMTEXT_H
#define TRISECT_CORE_PTX_ASMTEXT_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trisect {

/// What a special register tells of the machine.
enum class AsmSpecial : uint8_t {
  None,
  Nanoseconds,    ///< %globaltimer and %clock64: one clock of nanoseconds
  Processor,      ///< %smid: all programs run on number 0 ...
  ProcessorCount, ///< %nsmid: ... of 1
};

/// A register by number (operands `$0`, `$1`, ... first, then those that the text declares) or a literal.
struct AsmOperand {
  bool isLiteral = false;
  uint64_t literal = 0;
  unsigned floatBytes = 0; ///< of a literal: 4 for `0f3f800000`, 8 for `0d...`, 0 for an integer
  unsigned reg = 0;
  AsmSpecial special = AsmSpecial::None;
  bool address = false;          ///< `[$k]`: the memory that the register points to
  std::vector<AsmOperand> parts; ///< `{a, b}`: packed halves, low first
};

struct AsmInstr {
  std::string opcode;                ///< up to the first dot
  std::vector<std::string> suffixes; ///< the rest, split at dots
  std::vector<AsmOperand> operands;  ///< destination first
  std::optional<unsigned> guard;     ///< `@p`: runs only if the predicate holds
  bool guardNegated = false;         ///< `@!p`
};

struct AsmProgram {
  std::vector<AsmInstr> code;
  unsigned outputs = 0, inputs = 0, registers = 0;
  bool readsClock = false; ///< gives other results each time
  // By output and by input; what constraints name comes first.
  std::vector<unsigned> outputRegisters, inputRegisters;
  std::vector<unsigned> outputBytes, inputBytes; ///< by constraint letter: h 2, r and f 4, l and d 8
  std::vector<std::string> registerTypes;        ///< by register: `b32`, `pred`, ...
};

/// The opcode with its suffixes.
std::string textOf(const AsmInstr &instr);

/// Null with `problem` set if the text or constraints are outside the subset.
std::shared_ptr<const AsmProgram> parseAsm(std::string_view text, std::string_view constraints,
                                           std::string &problem);

} // namespace trisect

#endif // TRISECT_CORE_PTX_ASMTEXT_H
