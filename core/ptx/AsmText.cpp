//===- AsmText.cpp - reading PTX text -------------------------------------------------------------------===//
#include "core/ptx/AsmText.h"
#include "core/ptx/AsmForms.h"
#include "core/ptx/AsmRegisters.h"
#include "core/support/Text.h"
#include <algorithm>
#include <bit>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <utility>

namespace trisect {

namespace {

struct Bad {
  std::string what;
};

std::string withoutComments(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text.substr(at, 2) == "//") {
      while (at < text.size() && text[at] != '\n')
        ++at;
    } else if (text.substr(at, 2) == "/*") {
      at = text.find("*/", at + 2);
      if (at == std::string_view::npos)
        break;
      ++at;
      continue;
    }
    if (at < text.size())
      out += text[at];
  }
  return out;
}

constexpr int64_t mostRegisters = 1 << 16; ///< that one declaration makes

/// A whole number from `least` to `most`; `whole` is what it is a part of.
unsigned number(std::string_view text, int64_t least, int64_t most, const std::string &whole) {
  std::optional<int64_t> found = parseInteger(text);
  if (!found || *found < least || *found > most)
    throw Bad{whole};
  return static_cast<unsigned>(*found);
}

class Reader {
public:
  explicit Reader(AsmProgram &program) : program(program) {}

  void constraints(std::string_view text) {
    for (std::string_view part : splitOutside(text, ',')) {
      if (part.empty() || part.front() == '~')
        continue;
      bool output = part.front() == '=';
      std::string_view letter = output ? part.substr(part.size() - 1) : part;
      unsigned bytes;
      if (!output && std::isdigit(static_cast<unsigned char>(letter.front()))) {
        auto outputs = static_cast<int64_t>(program.outputBytes.size());
        bytes = program.outputBytes[number(letter, 0, outputs - 1, "constraint '" + std::string(part) + "'")];
      } else if (letter == "h") {
        bytes = 2;
      } else if (letter == "r" || letter == "f") {
        bytes = 4;
      } else if (letter == "l" || letter == "d") {
        bytes = 8;
      } else {
        throw Bad{"constraint '" + std::string(part) + "'"};
      }
      (output ? program.outputBytes : program.inputBytes).push_back(bytes);
    }
    program.outputs = static_cast<unsigned>(program.outputBytes.size());
    program.inputs = static_cast<unsigned>(program.inputBytes.size());
    program.registers = program.outputs + program.inputs;
    for (unsigned reg = 0; reg < program.registers; ++reg) {
      bool output = reg < program.outputs;
      (output ? program.outputRegisters : program.inputRegisters).push_back(reg);
      unsigned bytes = output ? program.outputBytes[reg] : program.inputBytes[reg - program.outputs];
      program.registerTypes.push_back("b" + std::to_string(8 * bytes));
    }
  }

  void body(std::string_view text) {
    text = trim(text);
    for (size_t at = 0; at < text.size();) {
      // Scopes only rename registers.
      if (text[at] == '{' || text[at] == '}' || text[at] == ';' ||
          std::isspace(static_cast<unsigned char>(text[at]))) {
        ++at;
        continue;
      }
      size_t end = text.find(';', at);
      if (end == std::string_view::npos)
        end = text.size();
      statement(trim(text.substr(at, end - at)));
      at = end + 1;
    }
  }

private:
  void statement(std::string_view text) {
    while (!text.empty() && text.front() == '}')
      text = trim(text.substr(1));
    if (text.empty())
      return;
    if (text.substr(0, 4) == ".reg") {
      text = trim(text.substr(4));
      size_t space = text.find_first_of(" \t\n");
      if (space == std::string_view::npos || text.front() != '.')
        throw Bad{"'" + std::string(text) + "'"};
      for (std::string_view name : splitOutside(text.substr(space), ','))
        declare(std::string(text.substr(1, space - 1)), name);
      return;
    }
    if (text.starts_with("griddepcontrol.") || text.starts_with("membar."))
      return; // programs of one launch neither start early nor see each other's writes late
    if (text.find(':') != std::string_view::npos)
      throw Bad{"'" + std::string(text) + "' (a label)"};
    AsmInstr instr;
    if (text.front() == '@') {
      size_t end = text.find_first_of(" \t\n");
      instr.guardNegated = text.substr(1).starts_with("!");
      auto found = registers.find(std::string(text.substr(0, end).substr(instr.guardNegated ? 2 : 1)));
      if (end == std::string_view::npos || found == registers.end())
        throw Bad{"'" + std::string(text) + "' (a predicate)"};
      instr.guard = found->second;
      text = trim(text.substr(end));
    }
    size_t space = text.find_first_of(" \t\n");
    if (space == std::string_view::npos)
      throw Bad{"'" + std::string(text) + "'"};
    std::vector<std::string_view> words = splitOutside(text.substr(0, space), '.');
    instr.opcode = std::string(words.front());
    for (size_t n = 1; n < words.size(); ++n)
      instr.suffixes.emplace_back(words[n]);
    for (std::string_view operand : splitOutside(text.substr(space), ','))
      instr.operands.push_back(this->operand(operand));
    program.code.push_back(std::move(instr));
  }

  void declare(const std::string &type, std::string_view name) {
    size_t open = name.find('<');
    if (open == std::string_view::npos) {
      add(type, std::string(name));
      return;
    }
    std::string whole = "'" + std::string(name) + "' (1 to " + std::to_string(mostRegisters) + " registers)";
    if (name.back() != '>')
      throw Bad{whole};
    unsigned count = number(name.substr(open + 1, name.size() - open - 2), 1, mostRegisters, whole);
    for (unsigned n = 0; n < count; ++n)
      add(type, std::string(name.substr(0, open)) + std::to_string(n));
  }

  void add(const std::string &type, const std::string &name) {
    registers[name] = program.registers++;
    program.registerTypes.push_back(type);
  }

  AsmOperand operand(std::string_view text) {
    AsmOperand result;
    if (text.empty())
      throw Bad{"an empty operand"};
    if (text.front() == '{') {
      for (std::string_view part : splitOutside(text.substr(1, text.size() - 2), ','))
        result.parts.push_back(operand(part));
      return result;
    }
    if (text.front() == '[' && text.back() == ']') {
      result = operand(trim(text.substr(1, text.size() - 2)));
      if (result.isLiteral || result.address || result.special != AsmSpecial::None || !result.parts.empty())
        throw Bad{"operand '" + std::string(text) + "'"};
      result.address = true;
      return result;
    }
    if (text.front() == '$') {
      result.reg = number(text.substr(1), 0, int64_t(program.outputs) + program.inputs - 1,
                          "operand '" + std::string(text) + "'");
      return result;
    }
    if (auto found = registers.find(std::string(text)); found != registers.end()) {
      result.reg = found->second;
      return result;
    }
    if (text.front() == '%') {
      static constexpr std::pair<std::string_view, AsmSpecial> specials[] = {
          {"%globaltimer", AsmSpecial::Nanoseconds},
          {"%clock64", AsmSpecial::Nanoseconds},
          {"%smid", AsmSpecial::Processor},
          {"%nsmid", AsmSpecial::ProcessorCount}};
      auto special = std::ranges::find(specials, text, &std::pair<std::string_view, AsmSpecial>::first);
      if (special == std::end(specials))
        throw Bad{"operand '" + std::string(text) + "'"};
      result.special = special->second;
      program.readsClock |= result.special == AsmSpecial::Nanoseconds;
      return result;
    }
    result.isLiteral = true;
    if (text.size() == 10 && (text.starts_with("0f") || text.starts_with("0F")))
      result.floatBytes = 4;
    else if (text.size() == 18 && (text.starts_with("0d") || text.starts_with("0D")))
      result.floatBytes = 8;
    result.literal = result.floatBytes ? literal("0x" + std::string(text.substr(2))) : literal(text);
    return result;
  }

  static uint64_t literal(std::string_view text) {
    std::string copy(text);
    if (!copy.empty() && (copy.back() == 'U' || copy.back() == 'u'))
      copy.pop_back();
    char *end = nullptr;
    bool negative = !copy.empty() && copy.front() == '-';
    const char *digits = copy.c_str() + negative; // at the end of the text is a zero, which is none
    errno = 0;
    uint64_t value = std::strtoull(digits, &end, 0);
    if (!std::isdigit(static_cast<unsigned char>(*digits)) || *end || errno)
      throw Bad{"operand '" + std::string(text) + "'"};
    return negative ? 0 - value : value;
  }

  AsmProgram &program;
  std::map<std::string, unsigned> registers;
};

} // namespace

std::string textOf(const AsmInstr &instr) {
  std::string text = instr.opcode;
  for (const std::string &suffix : instr.suffixes)
    text += "." + suffix;
  return text;
}

std::shared_ptr<const AsmProgram> parseAsm(std::string_view text, std::string_view constraints,
                                           std::string &problem) {
  auto program = std::make_shared<AsmProgram>();
  try {
    Reader reader(*program);
    reader.constraints(constraints);
    reader.body(withoutComments(text));
  } catch (const Bad &bad) {
    problem = bad.what;
    return nullptr;
  }
  problem = formProblem(*program);
  if (problem.empty())
    problem = unwrittenRead(*program);
  if (!problem.empty())
    return nullptr;
  return program;
}

} // namespace trisect
