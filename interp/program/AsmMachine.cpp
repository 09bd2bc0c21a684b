//===- AsmMachine.cpp - PTX value instructions ----------------------------------------------------------===//
//
// Integers: mov, prmt, lop3, shf, shl, shr, and, or, xor, not, add, sub, mul (lo, hi, wide), mad, div, rem,
// min, max, abs, neg, popc, clz, brev, bfe, bfi, dp4a; setp and selp with predicates that guard instructions.
// Floats are in AsmFloat.cpp, cvt in AsmConvert.cpp.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/program/AsmMachine.h"
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
  bool isSigned = type.front() == 's';
  if (!bytes || bytes > 8)
    return false;
  auto operand = [&](size_t n) {
    return n < instr.operands.size() ? cut(read(instr.operands[n]), bytes) : 0;
  };
  uint64_t a = operand(1), b = operand(2), c = operand(3), result;
  const std::string &name = instr.opcode;
  if (name == "mov") {
    result = readParts(instr.operands[1], bytes);
  } else if (name == "and") {
    result = a & b;
  } else if (name == "or") {
    result = a | b;
  } else if (name == "xor") {
    result = a ^ b;
  } else if (name == "not") {
    result = ~a;
  } else if (name == "add") {
    result = a + b;
  } else if (name == "sub") {
    result = a - b;
  } else if (name == "neg") {
    result = 0 - a;
  } else if (name == "abs") {
    result = sign(a, bytes) < 0 ? 0 - a : a;
  } else if (name == "min") {
    result = isSigned ? uint64_t(std::min(sign(a, bytes), sign(b, bytes))) : std::min(a, b);
  } else if (name == "max") {
    result = isSigned ? uint64_t(std::max(sign(a, bytes), sign(b, bytes))) : std::max(a, b);
  } else if (name == "div" || name == "rem") {
    if (!isSigned && type.front() != 'u')
      return false;
    bool quotient = name == "div";
    OpId op = quotient ? (isSigned ? OpId::arith_divsi : OpId::arith_divui)
                       : (isSigned ? OpId::arith_remsi : OpId::arith_remui);
    DType element = bytes == 2 ? DType::I16 : bytes == 4 ? DType::I32 : DType::I64;
    result = apply(op, element, element, {a, b}).value_or(0);
  } else if (name == "mul" || name == "mad") {
    unsigned __int128 wide =
        isSigned ? (unsigned __int128)((__int128)sign(a, bytes) * sign(b, bytes)) : (unsigned __int128)a * b;
    if (has(instr, "wide")) {
      write(instr.operands[0], uint64_t(wide) + (name == "mad" ? read(instr.operands[3]) : 0), 2 * bytes);
      return true;
    }
    result = has(instr, "hi") ? uint64_t(wide >> 8 * bytes) : uint64_t(wide);
    if (name == "mad")
      result += c;
  } else if (name == "shl") {
    uint64_t by = cut(read(instr.operands[2]), 4);
    result = by >= 8 * bytes ? 0 : a << by;
  } else if (name == "shr") {
    uint64_t by = std::min<uint64_t>(cut(read(instr.operands[2]), 4), 8 * bytes);
    result = isSigned ? uint64_t(sign(a, bytes) >> std::min<uint64_t>(by, 63)) : by >= 64 ? 0 : a >> by;
  } else if (name == "popc") {
    result = static_cast<uint64_t>(std::popcount(a));
    bytes = 4;
  } else if (name == "clz") {
    result = static_cast<uint64_t>(std::countl_zero(a)) - (64 - 8 * bytes);
    bytes = 4;
  } else if (name == "brev") {
    result = 0;
    for (unsigned n = 0; n < 8 * bytes; ++n)
      result |= (a >> n & 1) << (8 * bytes - 1 - n);
  } else if (name == "prmt") {
    if (instr.suffixes.size() > 1)
      return false;
    result = permute(a, b, c);
  } else if (name == "lop3") {
    result = logic3(a, b, c, read(instr.operands[4]));
  } else if (name == "shf") {
    uint64_t by = cut(read(instr.operands[3]), 4), pair = a | b << 32;
    by = has(instr, "clamp") ? std::min<uint64_t>(by, 32) : by & 31;
    result = has(instr, "l") ? (by ? pair << by : pair) >> 32 : pair >> by;
  } else if (name == "bfe") {
    uint64_t from = read(instr.operands[2]) & 255, length = read(instr.operands[3]) & 255;
    result = from >= 64 ? 0 : a >> from;
    if (length < 64)
      result &= (uint64_t(1) << length) - 1;
    if (isSigned && length && length < 64 && result >> (length - 1) & 1)
      result |= ~uint64_t(0) << length;
  } else if (name == "bfi") {
    uint64_t from = read(instr.operands[3]) & 255, length = read(instr.operands[4]) & 255;
    uint64_t field = length >= 64 ? ~uint64_t(0) : (uint64_t(1) << length) - 1;
    result = from >= 64 ? b : (b & ~(field << from)) | (a & field) << from;
  } else if (name == "dp4a") {
    bool signedA = instr.suffixes.front() == "s32";
    result = c;
    for (unsigned n = 0; n < 4; ++n) {
      uint64_t x = a >> 8 * n & 255, y = b >> 8 * n & 255;
      int64_t left = signedA ? sign(x, 1) : int64_t(x), right = isSigned ? sign(y, 1) : int64_t(y);
      result += uint64_t(left * right);
    }
  } else {
    return false;
  }
  write(instr.operands[0], result, bytes);
  return true;
}

bool AsmMachine::compare(const AsmInstr &instr) {
  // setp.test.type p, a, b
  if (instr.suffixes.size() != 2 || instr.operands.size() != 3)
    return false;
  const std::string &test = instr.suffixes[0], &type = instr.suffixes[1];
  unsigned bytes = widthOf(type);
  uint64_t a = cut(read(instr.operands[1]), bytes), b = cut(read(instr.operands[2]), bytes);
  static const char *const names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  auto found = std::find(std::begin(names), std::end(names), test);
  if (found == std::end(names) || !bytes)
    return false;
  // By index of the names: the predicates of cmpf (false for NaN, as PTX wants) and cmpi.
  static constexpr uint64_t ordered[] = {1, 6, 4, 5, 2, 3};
  static constexpr uint64_t signedTests[] = {0, 1, 2, 3, 4, 5}, unsignedTests[] = {0, 1, 6, 7, 8, 9};
  auto at = static_cast<size_t>(found - std::begin(names));
  std::optional<uint64_t> bits;
  if (auto real = floatType(type)) {
    bits = apply(OpId::arith_cmpf, *real, DType::I1, {a, b}, ordered[at]);
  } else {
    DType whole = bytes == 2 ? DType::I16 : bytes == 4 ? DType::I32 : DType::I64;
    const auto &tests = type.front() == 's' ? signedTests : unsignedTests;
    bits = apply(OpId::arith_cmpi, whole, DType::I1, {a, b}, tests[at]);
  }
  if (!bits)
    return false;
  write(instr.operands[0], *bits & 1, 8);
  return true;
}

bool AsmMachine::execute(const AsmInstr &instr) {
  if (instr.suffixes.empty() || instr.operands.size() < 2)
    return false;
  if (instr.guard && (registers[*instr.guard] != 0) == instr.guardNegated)
    return true;
  if (instr.opcode == "cvt")
    return convert(instr);
  if (instr.opcode == "setp")
    return compare(instr);
  if (instr.opcode == "selp") {
    if (instr.operands.size() != 4 || !widthOf(instr.suffixes.back()))
      return false;
    bool first = read(instr.operands[3]) != 0;
    write(instr.operands[0], read(instr.operands[first ? 1 : 2]), widthOf(instr.suffixes.back()));
    return true;
  }
  const std::string &type = instr.suffixes.back();
  if (instr.opcode != "mov" && floatType(type))
    return floatOp(instr, type);
  static const char *const three[] = {"prmt", "mad", "shf", "bfe", "dp4a"};
  static const char *const one[] = {"mov", "not", "neg", "abs", "popc", "clz", "brev"};
  auto among = [&](auto &names) {
    return std::any_of(std::begin(names), std::end(names), [&](const char *n) { return instr.opcode == n; });
  };
  size_t inputs = instr.opcode == "lop3" || instr.opcode == "bfi" ? 4 : among(three) ? 3 : among(one) ? 1 : 2;
  if (instr.operands.size() != inputs + 1)
    return false;
  return integerOp(instr, type);
}

void AsmMachine::run() {
  for (const AsmInstr &instr : program.code)
    execute(instr);
}

std::string unknownInstruction(const AsmProgram &program) {
  AsmMachine machine(program);
  for (AsmInstr instr : program.code) {
    instr.guard.reset();
    bool addresses = std::any_of(instr.operands.begin(), instr.operands.end(),
                                 [](const AsmOperand &operand) { return operand.address; });
    if (addresses || !machine.execute(instr))
      return textOf(instr);
  }
  return "";
}

} // namespace trisect::interp
