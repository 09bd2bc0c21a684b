//===- AsmMachine.cpp - PTX value instructions ----------------------------------------------------------===//
//
// mov, cvt, prmt, lop3, shf, shl, shr, and, or, xor, not, add, sub, mul (lo, hi), mad, min, max, abs, neg,
// fma, popc, clz, brev, bfe, selp-free code of one lane, and the packed f16x2 and bf16x2 forms of float
// arithmetic.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/program/AsmMachine.h"
#include "interp/kernels/KernelTable.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

namespace trisect::interp {

namespace {

unsigned widthOf(const std::string &type) {
  if (type.ends_with("x2"))
    return 4;
  if (type.size() < 2 || !std::isdigit(static_cast<unsigned char>(type.back())))
    return 0;
  return static_cast<unsigned>(std::atoi(type.c_str() + type.find_first_of("0123456789"))) / 8;
}

std::optional<DType> floatType(const std::string &name) {
  if (name == "f16" || name == "f16x2")
    return DType::F16;
  if (name == "bf16" || name == "bf16x2")
    return DType::BF16;
  if (name == "f32")
    return DType::F32;
  if (name == "f64")
    return DType::F64;
  return std::nullopt;
}

bool has(const AsmInstr &instr, const char *suffix) {
  return std::find(instr.suffixes.begin(), instr.suffixes.end(), suffix) != instr.suffixes.end();
}

/// One element through the kernel table.
std::optional<uint64_t> apply(OpId op, DType from, DType to, std::initializer_list<uint64_t> operands,
                              uint64_t attribute = 0) {
  ElementwiseFn kernel = elementwiseKernel({op, from, to}, Numerics::Ieee, Isa::Scalar);
  if (!kernel)
    return std::nullopt;
  Strip strips[3];
  size_t n = 0;
  for (const uint64_t &bits : operands)
    strips[n++] = {&bits, true};
  alignas(64) uint64_t result[8] = {};
  kernel(result, strips, 1, attribute);
  uint64_t bits = 0;
  std::memcpy(&bits, result, byteSize(to));
  return bits;
}

uint64_t cut(uint64_t bits, unsigned bytes) {
  return bytes >= 8 ? bits : bits & ((uint64_t(1) << 8 * bytes) - 1);
}

int64_t sign(uint64_t bits, unsigned bytes) {
  unsigned shift = 64 - 8 * bytes;
  return int64_t(bits << shift) >> shift;
}

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
  if (operand.isLiteral)
    return operand.literal;
  if (operand.parts.empty())
    return registers[operand.reg];
  unsigned bytes = 8 / static_cast<unsigned>(operand.parts.size());
  if (operand.parts.size() == 2)
    bytes = 2;
  uint64_t bits = 0;
  for (size_t n = operand.parts.size(); n-- > 0;)
    bits = bits << 8 * bytes | cut(read(operand.parts[n]), bytes);
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

bool AsmMachine::floatOp(const AsmInstr &instr, const std::string &type) {
  DType element = *floatType(type);
  unsigned size = byteSize(element);
  OpId op;
  if (instr.opcode == "add")
    op = OpId::arith_addf;
  else if (instr.opcode == "sub")
    op = OpId::arith_subf;
  else if (instr.opcode == "mul")
    op = OpId::arith_mulf;
  else if (instr.opcode == "fma" || instr.opcode == "mad")
    op = OpId::math_fma;
  else if (instr.opcode == "min")
    op = has(instr, "NaN") ? OpId::arith_minimumf : OpId::arith_minnumf;
  else if (instr.opcode == "max")
    op = has(instr, "NaN") ? OpId::arith_maximumf : OpId::arith_maxnumf;
  else if (instr.opcode == "neg")
    op = OpId::arith_negf;
  else if (instr.opcode == "abs")
    op = OpId::math_absf;
  else if (instr.opcode == "sqrt")
    op = OpId::math_sqrt;
  else if (instr.opcode == "rsqrt")
    op = OpId::math_rsqrt;
  else if (instr.opcode == "ex2")
    op = OpId::math_exp2;
  else if (instr.opcode == "lg2")
    op = OpId::math_log2;
  else if (instr.opcode == "sin")
    op = OpId::math_sin;
  else if (instr.opcode == "cos")
    op = OpId::math_cos;
  else if (instr.opcode == "tanh")
    op = OpId::math_tanh;
  else
    return false;
  if (has(instr, "rz") || has(instr, "rm") || has(instr, "rp") || has(instr, "sat") || has(instr, "relu"))
    return false;
  unsigned count = type.ends_with("x2") ? 2 : 1;
  size_t inputs = instr.operands.size() - 1;
  uint64_t result = 0;
  for (unsigned n = 0; n < count; ++n) {
    uint64_t in[3] = {};
    for (size_t k = 0; k < inputs && k < 3; ++k)
      in[k] = cut(read(instr.operands[k + 1]) >> 16 * n, size);
    auto bits = inputs == 1   ? apply(op, element, element, {in[0]})
                : inputs == 2 ? apply(op, element, element, {in[0], in[1]})
                              : apply(op, element, element, {in[0], in[1], in[2]});
    if (!bits)
      return false;
    result |= *bits << 16 * n;
  }
  write(instr.operands[0], result, size * count);
  return true;
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
    result = read(instr.operands[1]);
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
  } else {
    return false;
  }
  write(instr.operands[0], result, bytes);
  return true;
}

bool AsmMachine::convert(const AsmInstr &instr) {
  // cvt.[rounding.][sat.]to.from
  if (instr.suffixes.size() < 2)
    return false;
  const std::string &to = instr.suffixes[instr.suffixes.size() - 2], &from = instr.suffixes.back();
  bool plain = true, truncates = false;
  for (size_t n = 0; n + 2 < instr.suffixes.size(); ++n) {
    truncates |= instr.suffixes[n] == "rz" || instr.suffixes[n] == "rzi";
    plain &= instr.suffixes[n] == "rn" || instr.suffixes[n] == "rz" || instr.suffixes[n] == "rzi" ||
             instr.suffixes[n] == "satfinite";
  }
  if (!plain)
    return false;
  auto toFloat = floatType(to), fromFloat = floatType(from);
  unsigned toBytes = widthOf(to), fromBytes = widthOf(from);
  uint64_t a = read(instr.operands[1]);
  if (toFloat && fromFloat && to.ends_with("x2")) {
    // Two f32 into one pair; the first source is the upper half.
    if (instr.operands.size() != 3 || *fromFloat != DType::F32 || truncates)
      return false;
    auto high = apply(OpId::arith_truncf, DType::F32, *toFloat, {cut(a, 4)});
    auto low = apply(OpId::arith_truncf, DType::F32, *toFloat, {cut(read(instr.operands[2]), 4)});
    if (!high || !low)
      return false;
    write(instr.operands[0], *high << 16 | *low, 4);
    return true;
  }
  if (instr.operands.size() != 2)
    return false;
  std::optional<uint64_t> bits;
  auto integerType = [](unsigned bytes) {
    return bytes == 1 ? DType::I8 : bytes == 2 ? DType::I16 : bytes == 4 ? DType::I32 : DType::I64;
  };
  if (toFloat && fromFloat) {
    if (truncates)
      bits = apply(OpId::tt_fp_to_fp, *fromFloat, *toFloat, {cut(a, fromBytes)}, 0);
    else if (toBytes == fromBytes)
      bits = *toFloat == *fromFloat ? std::optional<uint64_t>(cut(a, fromBytes)) : std::nullopt;
    else
      bits = apply(toBytes > fromBytes ? OpId::arith_extf : OpId::arith_truncf, *fromFloat, *toFloat,
                   {cut(a, fromBytes)});
  } else if (toFloat && fromBytes && !fromFloat) {
    bits = apply(from.front() == 's' ? OpId::arith_sitofp : OpId::arith_uitofp, integerType(fromBytes),
                 *toFloat, {cut(a, fromBytes)});
  } else if (fromFloat && toBytes && !toFloat) {
    if (!truncates)
      return false;
    bits = apply(to.front() == 's' ? OpId::arith_fptosi : OpId::arith_fptoui, *fromFloat,
                 integerType(toBytes), {cut(a, fromBytes)});
  } else if (fromBytes && toBytes) {
    bits = from.front() == 's' ? uint64_t(sign(a, fromBytes)) : cut(a, fromBytes);
  }
  if (!bits)
    return false;
  write(instr.operands[0], *bits, toBytes);
  return true;
}

bool AsmMachine::execute(const AsmInstr &instr) {
  if (instr.suffixes.empty() || instr.operands.size() < 2)
    return false;
  if (instr.opcode == "cvt")
    return convert(instr);
  const std::string &type = instr.suffixes.back();
  if (instr.opcode != "mov" && floatType(type))
    return floatOp(instr, type);
  static const char *const three[] = {"prmt", "mad", "shf", "bfe"};
  static const char *const one[] = {"mov", "not", "neg", "abs", "popc", "clz", "brev"};
  auto among = [&](auto &names) {
    return std::any_of(std::begin(names), std::end(names), [&](const char *n) { return instr.opcode == n; });
  };
  size_t inputs = instr.opcode == "lop3" ? 4 : among(three) ? 3 : among(one) ? 1 : 2;
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
  for (const AsmInstr &instr : program.code)
    if (!machine.execute(instr)) {
      std::string text = instr.opcode;
      for (const std::string &suffix : instr.suffixes)
        text += "." + suffix;
      return text;
    }
  return "";
}

} // namespace trisect::interp
