//===- AsmForms.cpp - whether inline assembly is what an assembler takes --------------------------------===//
#include "core/ptx/AsmForms.h"
#include "core/ptx/AsmTypes.h"
#include "core/support/Text.h"
#include <algorithm>
#include <span>

namespace trisect {

namespace {

struct Form {
  std::string_view opcodes, words, operands;
};

constexpr Form forms[] = {
#define ASM_FORM(opcodes, words, operands) {opcodes, words, operands},
#include "core/ptx/AsmForms.def"
};

bool among(std::string_view alternatives, std::string_view word) {
  return std::ranges::count(splitOutside(alternatives, '|'), word) > 0;
}

bool wordsFit(std::span<const std::string_view> pattern, std::span<const std::string> words) {
  if (pattern.empty())
    return words.empty();
  bool optional = pattern.front().front() == '?';
  std::string_view alternatives = pattern.front().substr(optional ? 1 : 0);
  if (!words.empty() && among(alternatives, words.front()) && wordsFit(pattern.subspan(1), words.subspan(1)))
    return true;
  return optional && wordsFit(pattern.subspan(1), words);
}

/// What the name of a type says of registers that hold it.
struct Type {
  enum class Kind : uint8_t { Bits, Integer, Float, Format, Predicate };
  Kind kind;
  unsigned bytes;

  explicit Type(const std::string &name) : kind(kindOf(name)), bytes(ptx::widthOf(name)) {}

  static Kind kindOf(const std::string &name) {
    if (name == "pred")
      return Kind::Predicate;
    switch (name.front()) {
    case 'u':
    case 's':
      return Kind::Integer;
    case 'b':
      return name.starts_with("bf") ? Kind::Format : Kind::Bits;
    case 'f':
      return name.ends_with("x2") ? Kind::Format : Kind::Float;
    default:
      return Kind::Format; // tf32 and pairs of small floats: registers of bits hold them
    }
  }
};

class Checker {
public:
  Checker(const AsmProgram &program, const AsmInstr &instr, std::string_view roles)
      : program(program), instr(instr), roles(roles) {}

  /// What is wrong, in words; empty if nothing is.
  std::string problem() const {
    if (instr.operands.size() != roles.size())
      return " has " + std::to_string(roles.size()) + " operands, not " +
             std::to_string(instr.operands.size());
    for (size_t n = 0; n < roles.size(); ++n)
      if (!fits(n))
        return ": its operand " + std::to_string(n + 1) + " has another type or form";
    return {};
  }

private:
  bool fits(size_t n) const {
    const AsmOperand &operand = instr.operands[n];
    char role = roles[n];
    bool written = n == 0 && role != 'a';
    if (operand.address != (role == 'a') ||
        (written && (operand.isLiteral || operand.special != AsmSpecial::None)))
      return false;
    switch (role) {
    case 'n':
      return operand.isLiteral && !operand.floatBytes;
    case 'p':
      return operand.isLiteral ? !operand.floatBytes : holds(operand, Type("pred"));
    case 'a':
      return holds(operand, Type("u64"));
    case 'i':
      return holds(operand, Type("u32"));
    case 'w':
      return holds(operand, Type("u" + std::to_string(16 * ptx::widthOf(word(0)))));
    case 'f':
      return holds(operand, Type(word(1)));
    case 'F':
      return holds(operand, Type(word(1)), true);
    case 'T':
      return holds(operand, Type(word(0)), true);
    default:
      return operand.parts.empty() ? holds(operand, Type(word(0))) : partsFit(n);
    }
  }

  /// The n-th word from behind.
  const std::string &word(size_t n) const { return instr.suffixes[instr.suffixes.size() - 1 - n]; }

  /// `mov.b64` between one register and a pack of two, four or eight.
  bool partsFit(size_t n) const {
    const std::vector<AsmOperand> &parts = instr.operands[n].parts;
    auto count = static_cast<unsigned>(parts.size());
    unsigned bytes = ptx::widthOf(word(0)) / count;
    if (instr.opcode != "mov" || word(0).front() != 'b' || !instr.operands[1 - n].parts.empty() ||
        count < 2 || bytes * count != ptx::widthOf(word(0)))
      return false;
    Type part("b" + std::to_string(8 * bytes));
    return std::ranges::all_of(parts, [&](const AsmOperand &operand) {
      return !operand.address && operand.special == AsmSpecial::None && !(n == 0 && operand.isLiteral) &&
             !operand.floatBytes && holds(operand, part);
    });
  }

  bool holds(const AsmOperand &operand, Type type, bool widerToo = false) const {
    using enum Type::Kind;
    if (!operand.parts.empty())
      return false;
    if (operand.isLiteral)
      return operand.floatBytes
                 ? (type.kind == Float || type.kind == Bits) && type.bytes == operand.floatBytes
                 : type.kind == Bits || type.kind == Integer;
    if (operand.special != AsmSpecial::None) {
      unsigned bytes = operand.special == AsmSpecial::Nanoseconds ? 8 : 4;
      bool moves = instr.opcode == "mov" || (instr.opcode == "cvt" && Type(word(1)).kind == Integer);
      return moves && bytes == type.bytes && (type.kind == Bits || type.kind == Integer);
    }
    Type given(program.registerTypes[operand.reg]);
    if (given.kind == Predicate || type.kind == Predicate)
      return given.kind == type.kind;
    if (widerToo ? given.bytes < type.bytes : given.bytes != type.bytes)
      return false;
    if (given.kind == Bits || type.kind == Bits)
      return true;
    return given.kind == type.kind && (type.kind != Float || given.bytes == type.bytes);
  }

  const AsmProgram &program;
  const AsmInstr &instr;
  std::string_view roles;
};

std::string problemOf(const AsmProgram &program, const AsmInstr &instr) {
  if (instr.guard && program.registerTypes[*instr.guard] != "pred")
    return textOf(instr) + ": its guard is no predicate";
  std::string problem;
  for (const Form &form : forms) {
    if (!among(form.opcodes, instr.opcode) || !wordsFit(splitOutside(form.words, ' '), instr.suffixes))
      continue;
    std::string found = Checker(program, instr, form.operands).problem();
    if (found.empty())
      return {};
    problem = textOf(instr) + found;
  }
  return problem.empty() ? textOf(instr) : problem;
}

} // namespace

std::string formProblem(const AsmProgram &program) {
  for (const AsmInstr &instr : program.code)
    if (std::string problem = problemOf(program, instr); !problem.empty())
      return problem;
  return {};
}

} // namespace trisect
