//===- AsmFormsTest.cpp - inline assembly that tiers 0 and 1 take, held against ptxas -------------------===//
//
// What: every spelling of core/ptx/AsmForms.def is known to tier 0 and assembles; with one operand replaced
// by a register of another type, a literal, a predicate or a pack it is taken exactly where ptxas takes it.
// Why: what an assembler refuses fails on the user's GPU, and what it takes with another meaning would be
// wrong here in silence.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/driver/Assembler.h"
#include "core/ptx/AsmText.h"
#include "core/ptx/AsmTypes.h"
#include "core/support/Outcome.h"
#include "core/support/Text.h"
#include "interp/program/AsmMachine.h"
#include "gtest/gtest.h"
#include <set>

using namespace trisect;

namespace {

struct Form {
  std::string_view opcodes, words, operands;
};
constexpr Form forms[] = {
#define ASM_FORM(opcodes, words, operands) {opcodes, words, operands},
#include "core/ptx/AsmForms.def"
};

struct Instruction {
  std::string opcode;
  std::vector<std::string> operands;

  std::string text() const {
    std::string line = opcode;
    for (size_t n = 0; n < operands.size(); ++n)
      line += (n ? ", " : " ") + operands[n];
    return line + ";";
  }
};

std::vector<std::string> spellings(const Form &form) {
  std::vector<std::string> made;
  for (std::string_view opcode : splitOutside(form.opcodes, '|'))
    made.emplace_back(opcode);
  for (std::string_view word : splitOutside(form.words, ' ')) {
    bool optional = word.starts_with('?');
    std::vector<std::string> longer;
    for (const std::string &so : made) {
      if (optional)
        longer.push_back(so);
      for (std::string_view alternative : splitOutside(word.substr(optional), '|'))
        longer.push_back(so + "." + std::string(alternative));
    }
    made = std::move(longer);
  }
  return made;
}

/// `b32` and the like by bytes.
std::string bits(unsigned bytes) { return "b" + std::to_string(8 * bytes); }

Instruction instructionOf(const std::string &opcode, std::string_view roles) {
  std::vector<std::string> words;
  for (std::string_view word : splitOutside(opcode, '.'))
    words.emplace_back(word);
  unsigned last = ptx::widthOf(words.back()), before = ptx::widthOf(words[words.size() - 2]);
  Instruction made{opcode, {}};
  for (size_t n = 0; n < roles.size(); ++n) {
    auto reg = [&](const std::string &type) { return type + "_" + std::to_string(n); };
    switch (roles[n]) {
    case 'n':
      made.operands.emplace_back("0x96");
      break;
    case 'p':
      made.operands.push_back(reg("pred"));
      break;
    case 'a':
      made.operands.push_back("[" + reg("b64") + "]");
      break;
    case 'i':
      made.operands.push_back(reg("b32"));
      break;
    case 'w':
      made.operands.push_back(reg(bits(2 * last)));
      break;
    case 'f':
    case 'F':
      made.operands.push_back(reg(bits(before)));
      break;
    default:
      made.operands.push_back(reg(bits(last)));
    }
  }
  return made;
}

constexpr const char *types[] = {"pred", "b8",  "b16", "b32", "b64", "u16", "s16",
                                 "u32",  "s32", "u64", "s64", "f16", "f32", "f64"};

std::string declarations() {
  std::string text;
  for (const char *type : types)
    for (int n = 0; n < 5; ++n)
      text += std::string(".reg .") + type + " " + type + "_" + std::to_string(n) + ";\n";
  return text;
}

/// Each register gets a value first, so that only forms can be at fault.
bool taken(const Instruction &instruction) {
  std::string text = "{ " + declarations();
  for (const char *type : types) {
    std::string source = std::string_view(type) == "f16" ? "b16_0" : "0";
    for (int n = 0; n < 5; ++n) {
      std::string reg = std::string(type) + "_" + std::to_string(n);
      if (std::string_view(type) == "pred")
        text += "setp.eq.s32 " + reg + ", 0, 0;";
      else if (std::string_view(type) == "b8")
        text += "cvt.u8.u32 b8_" + std::to_string(n) + ", 0;";
      else
        text += "mov.b" + std::string(type + 1) + " " + reg + ", " + source + ";";
    }
  }
  std::string problem;
  auto program = parseAsm(text + instruction.text() + " }", "=r", problem);
  if (!program)
    return false;
  if (instruction.opcode.starts_with("ld.") || instruction.opcode.starts_with("st."))
    return true; // AsmAccess.h
  return interp::unknownInstruction(*program).empty();
}

/// What tiers 0 and 1 do not take, though it assembles: literals of the other float type, addresses of 32
/// bits, machine registers outside of mov and whole conversions, packs of bf16 and into wider registers.
bool leftOut(const Instruction &instruction) {
  std::string text = instruction.text();
  bool pairs = instruction.opcode.find("f16x2.f32") != std::string::npos;
  for (const char *what : {"0d3ff", "0f3f8", "[b32_1]", "[u32_1]", "%", "{"})
    if (text.find(what) != std::string::npos)
      return true;
  return pairs && text.find("b64") != std::string::npos;
}

/// The lines that ptxas refuses.
std::set<size_t> refused(const cuda::driver::Assembler &assembler, const std::vector<Instruction> &code,
                         const std::string &architecture) {
  std::string text = ".version 8.6\n.target " + architecture +
                     "\n.address_size 64\n.visible .entry kernel() {\n" + declarations();
  auto first = static_cast<size_t>(std::ranges::count(text, '\n')) + 1;
  for (const Instruction &instruction : code)
    text += instruction.text() + "\n";
  std::set<size_t> lines;
  try {
    cuda::driver::AssembleOptions options;
    options.architecture = architecture;
    assembler.assemble(text + "ret;\n}\n", options);
  } catch (const AssemblerError &error) {
    std::string_view log = error.what();
    for (size_t at = log.find(", line "); at != std::string_view::npos; at = log.find(", line ", at + 1))
      lines.insert(static_cast<size_t>(std::atoi(log.data() + at + 7)) - first);
    EXPECT_FALSE(lines.empty()) << log;
  }
  return lines;
}

TEST(AsmForms, EverySpellingIsKnownAndAssembles) {
  auto assembler = cuda::driver::Assembler::find();
  std::vector<Instruction> code;
  for (const Form &form : forms)
    for (const std::string &spelling : spellings(form))
      code.push_back(instructionOf(spelling, form.operands));
  ASSERT_GT(code.size(), 800u);
  for (const Instruction &instruction : code)
    EXPECT_TRUE(taken(instruction)) << instruction.text();
  if (!assembler)
    GTEST_SKIP() << "no ptxas";
  for (size_t line : refused(*assembler, code, "sm_100a"))
    ADD_FAILURE() << code.at(line).text();
}

TEST(AsmForms, OtherOperandsAreTakenWherePtxasTakesThem) {
  auto assembler = cuda::driver::Assembler::find();
  if (!assembler)
    GTEST_SKIP() << "no ptxas";
  std::vector<Instruction> code;
  for (const Form &form : forms)
    for (std::string_view opcode : splitOutside(form.opcodes, '|')) {
      Form one{opcode, form.words, form.operands};
      std::set<std::string> seen;
      for (const std::string &spelling : spellings(one)) {
        std::string last = spelling.substr(spelling.rfind('.'));
        std::string rest = spelling.substr(0, spelling.size() - last.size());
        if (!seen.insert(rest.substr(rest.rfind('.') + 1) + last).second)
          continue; // other words before the same two
        Instruction right = instructionOf(spelling, form.operands);
        for (size_t n = 0; n < right.operands.size(); ++n) {
          std::string place = "_" + std::to_string(n);
          std::vector<std::string> others = {"7",
                                             "0f3f800000",
                                             "0d3ff0000000000000",
                                             "%smid",
                                             "%globaltimer",
                                             "{b16_0, b16_1}",
                                             "{b32_0, b32_1}"};
          for (const char *type : types)
            others.push_back(type + place);
          if (form.operands[n] == 'a') {
            others = {"[b64_1]", "[b32_1]", "[f64_1]", "[u64_1]", "b64_1"};
          }
          for (const std::string &other : others) {
            code.push_back(right);
            code.back().operands[n] = other;
          }
        }
        code.push_back(right);
        code.back().operands.pop_back();
        code.push_back(right);
        code.back().operands.push_back(right.operands.back());
      }
    }
  std::set<size_t> bad = refused(*assembler, code, "sm_100a");
  EXPECT_GT(bad.size(), 1000u);
  for (size_t n = 0; n < code.size(); ++n) {
    bool ours = taken(code[n]);
    EXPECT_FALSE(ours && bad.contains(n)) << "taken, though ptxas refuses it: " << code[n].text();
    EXPECT_TRUE(ours || bad.contains(n) || leftOut(code[n]))
        << "refused, though ptxas takes it: " << code[n].text();
  }
}

} // namespace
