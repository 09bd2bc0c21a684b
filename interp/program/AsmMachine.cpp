//===- AsmMachine.cpp - PTX value instructions ----------------------------------------------------------===//
//
// Integers: mov, prmt, lop3, shf, shl, shr, and, or, xor, not, add, sub, mul (lo, hi, wide), mad, div, rem,
// min, max, abs, neg, popc, clz, brev, bfe, bfi, dp4a; setp and selp with predicates that guard instructions.
// Floats are in AsmFloat.cpp, cvt in AsmConvert.cpp. Limits: words and operands are taken to be those of a
// form (core/ptx/AsmForms.def), which the reader has looked at.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/program/AsmMachine.h"
#include "core/support/Enums.h"
#include "interp/program/AsmScalar.h"
#include <algorithm>
#include <bit>
#include <chrono>

namespace trisect::interp {

using namespace ptx;

namespace {

uint64_t permute(uint64_t a, uint64_t b, uint64_t selector) {
  uint64_t both = cut(a, 4) | b << 32, result = 0;
  for (unsigned n = 0; n < 4; ++n) {
    unsigned pick = selector >> 4 * n & 15;
    uint64_t byte = both >> 8 * (pick & 7) & 255;
    if (pick & 8)
      byte = byte & 128 ? 255 : 0;
    result |= byte << 8 * n;
  }
  return result;
}

uint64_t logic3(uint64_t a, uint64_t b, uint64_t c, uint64_t table) {
  uint64_t result = 0;
  for (unsigned n = 0; n < 8; ++n)
    if (table >> n & 1)
      result |= (n & 4 ? a : ~a) & (n & 2 ? b : ~b) & (n & 1 ? c : ~c);
  return cut(result, 4);
}

} // namespace

uint64_t AsmMachine::read(const AsmOperand &operand) const {
  switch (operand.special) {
  case AsmSpecial::None:
    break;
  case AsmSpecial::Nanoseconds: {
    auto now = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  }
  case AsmSpecial::Processor:
    return 0;
  case AsmSpecial::ProcessorCount:
    return 1;
  }
  return operand.isLiteral ? operand.literal : registers[operand.reg];
}

uint64_t AsmMachine::readParts(const AsmOperand &operand, unsigned bytes) const {
  if (operand.parts.empty())
    return read(operand);
  unsigned part = bytes / static_cast<unsigned>(operand.parts.size());
  uint64_t bits = 0;
  for (size_t n = operand.parts.size(); n-- > 0;)
    bits = bits << 8 * part | cut(read(operand.parts[n]), part);
  return bits;
}

void AsmMachine::write(const AsmOperand &operand, uint64_t bits, unsigned bytes) {
  if (operand.parts.empty()) {
    registers[operand.reg] = cut(bits, bytes);
    return;
  }
  unsigned part = bytes / static_cast<unsigned>(operand.parts.size());
  for (const AsmOperand &each : operand.parts) {
    registers[each.reg] = cut(bits, part);
    bits >>= 8 * part;
  }
}

bool AsmMachine::integerOp(const AsmInstr &instr, const std::string &type) {
  unsigned bytes = widthOf(type);
  const std::string &name = instr.opcode;
  if (name == "mov") {
    write(instr.operands[0], readParts(instr.operands[1], bytes), bytes);
    return true;
  }
  if (name == "mul" || name == "mad") {
    multiply(instr, type);
    return true;
  }
  bool counts = name == "popc" || name == "clz"; // bits, in a register of 32
  for (auto group : {&AsmMachine::arithmetic, &AsmMachine::bitwise, &AsmMachine::shift, &AsmMachine::field})
    if (std::optional<uint64_t> result = (this->*group)(instr, type)) {
      write(instr.operands[0], *result, counts ? 4 : bytes);
      return true;
    }
  return false;
}

uint64_t AsmMachine::operand(const AsmInstr &instr, size_t n, const std::string &type) const {
  return n < instr.operands.size() ? cut(read(instr.operands[n]), widthOf(type)) : 0;
}

void AsmMachine::multiply(const AsmInstr &instr, const std::string &type) {
  unsigned bytes = widthOf(type);
  uint64_t a = operand(instr, 1, type), b = operand(instr, 2, type);
  bool adds = instr.opcode == "mad";
  unsigned __int128 wide = type.front() == 's'
                               ? (unsigned __int128)((__int128)sign(a, bytes) * sign(b, bytes))
                               : (unsigned __int128)a * b;
  if (has(instr, "wide")) {
    write(instr.operands[0], uint64_t(wide) + (adds ? read(instr.operands[3]) : 0), 2 * bytes);
    return;
  }
  uint64_t half = has(instr, "hi") ? uint64_t(wide >> 8 * bytes) : uint64_t(wide);
  write(instr.operands[0], half + (adds ? operand(instr, 3, type) : 0), bytes);
}

std::optional<uint64_t> AsmMachine::arithmetic(const AsmInstr &instr, const std::string &type) {
  unsigned bytes = widthOf(type);
  bool isSigned = type.front() == 's';
  uint64_t a = operand(instr, 1, type), b = operand(instr, 2, type);
  const std::string &name = instr.opcode;
  if (name == "add")
    return a + b;
  if (name == "sub")
    return a - b;
  if (name == "neg")
    return 0 - a;
  if (name == "abs")
    return sign(a, bytes) < 0 ? 0 - a : a;
  if (name == "min")
    return isSigned ? uint64_t(std::min(sign(a, bytes), sign(b, bytes))) : std::min(a, b);
  if (name == "max")
    return isSigned ? uint64_t(std::max(sign(a, bytes), sign(b, bytes))) : std::max(a, b);
  if (name == "div" || name == "rem") {
    bool quotient = name == "div";
    if (!quotient && !b)
      return ~uint64_t(0); // as a GPU has it
    OpId op = quotient ? (isSigned ? OpId::arith_divsi : OpId::arith_divui)
                       : (isSigned ? OpId::arith_remsi : OpId::arith_remui);
    DType element = bytes == 2 ? DType::I16 : bytes == 4 ? DType::I32 : DType::I64;
    return apply(op, element, element, {a, b}).value_or(0);
  }
  if (name == "dp4a") {
    bool signedA = instr.suffixes.front() == "s32";
    uint64_t sum = operand(instr, 3, type);
    for (unsigned n = 0; n < 4; ++n) {
      uint64_t x = a >> 8 * n & 255, y = b >> 8 * n & 255;
      int64_t left = signedA ? sign(x, 1) : int64_t(x), right = isSigned ? sign(y, 1) : int64_t(y);
      sum += uint64_t(left * right);
    }
    return sum;
  }
  return std::nullopt;
}

std::optional<uint64_t> AsmMachine::bitwise(const AsmInstr &instr, const std::string &type) {
  unsigned bytes = widthOf(type);
  uint64_t a = operand(instr, 1, type), b = operand(instr, 2, type), c = operand(instr, 3, type);
  const std::string &name = instr.opcode;
  if (name == "and")
    return a & b;
  if (name == "or")
    return a | b;
  if (name == "xor")
    return a ^ b;
  if (name == "not")
    return ~a;
  if (name == "popc")
    return static_cast<uint64_t>(std::popcount(a));
  if (name == "clz")
    return static_cast<uint64_t>(std::countl_zero(a)) - (64 - 8 * bytes);
  if (name == "brev") {
    uint64_t reversed = 0;
    for (unsigned n = 0; n < 8 * bytes; ++n)
      reversed |= (a >> n & 1) << (8 * bytes - 1 - n);
    return reversed;
  }
  if (name == "prmt")
    return permute(a, b, c);
  if (name == "lop3")
    return logic3(a, b, c, read(instr.operands[4]));
  return std::nullopt;
}

std::optional<uint64_t> AsmMachine::shift(const AsmInstr &instr, const std::string &type) {
  unsigned bytes = widthOf(type);
  uint64_t a = operand(instr, 1, type), b = operand(instr, 2, type);
  const std::string &name = instr.opcode;
  if (name == "shl") {
    uint64_t by = cut(read(instr.operands[2]), 4);
    return by >= 8 * bytes ? 0 : a << by;
  }
  if (name == "shr") {
    uint64_t by = std::min<uint64_t>(cut(read(instr.operands[2]), 4), 8 * bytes);
    if (type.front() == 's')
      return uint64_t(sign(a, bytes) >> std::min<uint64_t>(by, 63));
    return by >= 64 ? 0 : a >> by;
  }
  if (name == "shf") {
    uint64_t by = cut(read(instr.operands[3]), 4), pair = a | b << 32;
    by = has(instr, "clamp") ? std::min<uint64_t>(by, 32) : by & 31;
    return has(instr, "l") ? (by ? pair << by : pair) >> 32 : pair >> by;
  }
  return std::nullopt;
}

std::optional<uint64_t> AsmMachine::field(const AsmInstr &instr, const std::string &type) {
  uint64_t a = operand(instr, 1, type), b = operand(instr, 2, type);
  if (instr.opcode == "bfe") {
    uint64_t from = read(instr.operands[2]) & 255,
             length = std::min<uint64_t>(read(instr.operands[3]) & 255, 64);
    bool isSigned = type.front() == 's';
    if (!length || (!isSigned && from >= 64))
      return 0;
    if (!isSigned)
      return a >> from & ~uint64_t(0) >> (64 - length);
    // Above the number stands its sign, above the field the field's.
    uint64_t field = uint64_t(sign(a, widthOf(type)) >> std::min<uint64_t>(from, 63));
    return uint64_t(int64_t(field << (64 - length)) >> (64 - length));
  }
  if (instr.opcode == "bfi") {
    uint64_t from = read(instr.operands[3]) & 255, length = read(instr.operands[4]) & 255;
    uint64_t mask = length >= 64 ? ~uint64_t(0) : (uint64_t(1) << length) - 1;
    return from >= 64 ? b : (b & ~(mask << from)) | (a & mask) << from;
  }
  return std::nullopt;
}

bool AsmMachine::compare(const AsmInstr &instr) {
  // setp.test.type p, a, b
  const std::string &test = instr.suffixes[0], &type = instr.suffixes[1];
  unsigned bytes = widthOf(type);
  uint64_t a = cut(read(instr.operands[1]), bytes), b = cut(read(instr.operands[2]), bytes);
  static const char *const names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  auto found = std::find(std::begin(names), std::end(names), test);
  if (found == std::end(names))
    return false;
  // By index of the names: the predicates of cmpf (false for NaN, as PTX wants) and cmpi.
  using enum attr::CmpF;
  using enum attr::CmpI;
  static constexpr attr::CmpF ordered[] = {OEQ, ONE, OLT, OLE, OGT, OGE};
  static constexpr attr::CmpI signedTests[] = {Eq, Ne, Slt, Sle, Sgt, Sge};
  static constexpr attr::CmpI unsignedTests[] = {Eq, Ne, Ult, Ule, Ugt, Uge};
  auto at = static_cast<size_t>(found - std::begin(names));
  std::optional<uint64_t> bits;
  if (auto real = floatType(type)) {
    bits = apply(OpId::arith_cmpf, *real, DType::I1, {a, b}, attr::numberOf(ordered[at]));
  } else {
    DType whole = bytes == 2 ? DType::I16 : bytes == 4 ? DType::I32 : DType::I64;
    const auto &tests = type.front() == 's' ? signedTests : unsignedTests;
    bits = apply(OpId::arith_cmpi, whole, DType::I1, {a, b}, attr::numberOf(tests[at]));
  }
  if (!bits)
    return false;
  write(instr.operands[0], *bits & 1, 8);
  return true;
}

bool AsmMachine::execute(const AsmInstr &instr) {
  if (instr.guard && (registers[*instr.guard] != 0) == instr.guardNegated)
    return true;
  if (instr.opcode == "cvt")
    return convert(instr);
  if (instr.opcode == "setp")
    return compare(instr);
  const std::string &type = instr.suffixes.back();
  if (instr.opcode == "selp") {
    bool first = read(instr.operands[3]) != 0;
    write(instr.operands[0], read(instr.operands[first ? 1 : 2]), widthOf(type));
    return true;
  }
  return instr.opcode != "mov" && floatType(type) ? floatOp(instr, type) : integerOp(instr, type);
}

void AsmMachine::run() {
  for (const AsmInstr &instr : program.code)
    execute(instr);
}

std::string unknownInstruction(const AsmProgram &program) {
  AsmMachine machine(program);
  for (AsmInstr instr : program.code) {
    instr.guard.reset();
    if (!machine.execute(instr))
      return textOf(instr);
  }
  return "";
}

} // namespace trisect::interp
