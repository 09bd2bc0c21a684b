//===- AsmEmitter.cpp - PTX integer instructions as code ------------------------------------------------===//
//
// Limits: words and operands are taken to be those of a form (core/ptx/AsmForms.def), which the reader has
// looked at.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/emit/AsmEmitter.h"
#include "backends/cpu/emit/Elementwise.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace trisect::cpu {

AsmEmitter::AsmEmitter(Code code, const AsmProgram &program)
    : code(code), program(program), registers(program.registers, code.i64(0)) {}

std::string AsmEmitter::run() {
  for (const AsmInstr &instr : program.code) {
    guard = {};
    if (instr.guard) {
      Value set = code.cmp(CmpIPredicate::ne, registers[*instr.guard], code.i64(0));
      guard = instr.guardNegated ? code.negate(set) : set;
    }
    if (!emit(instr))
      return textOf(instr);
  }
  return "";
}

Value AsmEmitter::read(const AsmOperand &operand) {
  switch (operand.special) {
  case AsmSpecial::None:
    break;
  case AsmSpecial::Nanoseconds:
    return callRuntime(code, "clock", code.i64(), {});
  case AsmSpecial::Processor:
    return code.i64(0);
  case AsmSpecial::ProcessorCount:
    return code.i64(1);
  }
  return operand.isLiteral ? code.i64(static_cast<int64_t>(operand.literal)) : registers[operand.reg];
}

Value AsmEmitter::read(const AsmOperand &operand, unsigned bytes) {
  if (operand.parts.empty())
    return whole(read(operand), bytes);
  unsigned part = bytes / static_cast<unsigned>(operand.parts.size());
  Value bits = code.integer(type(bytes), 0);
  for (size_t n = operand.parts.size(); n-- > 0;)
    bits = code.either(code.shl(bits, 8 * part), code.zext(whole(read(operand.parts[n]), part), type(bytes)));
  return bits;
}

void AsmEmitter::writeRegister(unsigned reg, Value bits) {
  Value wide = code.zext(bits, code.i64());
  registers[reg] = guard ? code.select(guard, wide, registers[reg]) : wide;
}

void AsmEmitter::write(const AsmOperand &operand, Value bits, unsigned bytes) {
  bits = code.resize(bits, type(bytes));
  if (operand.parts.empty())
    return writeRegister(operand.reg, bits);
  unsigned part = bytes / static_cast<unsigned>(operand.parts.size());
  for (const AsmOperand &each : operand.parts) {
    writeRegister(each.reg, whole(bits, part));
    bits = code.shr(bits, 8 * part);
  }
}

// Low, high or whole product of two numbers of that width.
Value AsmEmitter::product(const AsmInstr &instr, unsigned bytes, bool isSigned) {
  Type wide = type(2 * bytes);
  auto widened = [&](const AsmOperand &operand) {
    Value number = read(operand, bytes);
    return isSigned ? code.sext(number, wide) : code.zext(number, wide);
  };
  Value both = code.mul(widened(instr.operands[1]), widened(instr.operands[2]));
  if (ptx::has(instr, "wide"))
    return both;
  return code.trunc(ptx::has(instr, "hi") ? code.shr(both, 8 * bytes) : both, type(bytes));
}

// By more than the width: zero, or the sign.
Value AsmEmitter::shifted(const AsmInstr &instr, Value a, bool isSigned) {
  Type type = a.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  Value by = read(instr.operands[2], 4);
  Value inside = code.cmp(CmpIPredicate::ult, by, code.integer(by.getType(), width));
  by = code.select(inside, by, code.integer(by.getType(), width - 1));
  Value count = width < 32 ? code.trunc(by, type) : code.zext(by, type);
  if (instr.opcode == "shr" && isSigned)
    return code.make<arith::ShRSIOp>(a, count);
  Value moved =
      instr.opcode == "shl" ? code.make<arith::ShLIOp>(a, count) : code.make<arith::ShRUIOp>(a, count);
  return code.select(inside, moved, code.zero(type));
}

// Instructions on bits whose operands all have the type; null for others.
Value AsmEmitter::bitsOp(const AsmInstr &instr, Value a, Value b, Value c) {
  Type word = a.getType();
  auto number = [&](int64_t n) { return code.integer(word, n); };
  const std::string &name = instr.opcode;
  if (name == "prmt") {
    Value pair = code.either(code.zext(a, code.i64()), code.shl(code.zext(b, code.i64()), 32));
    Value result = number(0);
    for (unsigned n = 0; n < 4; ++n) {
      Value pick = code.both(code.shr(c, 4 * n), number(15));
      Value shift = code.shl(code.zext(code.both(pick, number(7)), code.i64()), 3);
      Value byte = code.trunc(code.make<arith::ShRUIOp>(pair, shift), code.i8());
      Value sign = code.sar(byte, 7);
      Value whole = code.cmp(CmpIPredicate::ne, code.both(pick, number(8)), number(0));
      result = code.either(result, code.shl(code.zext(code.select(whole, sign, byte), word), 8 * n));
    }
    return result;
  }
  if (name == "lop3") {
    Value result = number(0), ones = number(-1);
    auto side = [&](bool plain, Value x) { return plain ? x : code.exclusive(x, ones); };
    for (unsigned n = 0; n < 8; ++n)
      if (instr.operands[4].literal >> n & 1)
        result = code.either(result, code.both(code.both(side(n & 4, a), side(n & 2, b)), side(n & 1, c)));
    return result;
  }
  if (name == "shf") {
    Value by = c;
    if (ptx::has(instr, "clamp"))
      by = code.make<arith::MinUIOp>(by, number(32));
    else
      by = code.both(by, number(31));
    Value pair = code.either(code.zext(a, code.i64()), code.shl(code.zext(b, code.i64()), 32));
    Value count = code.zext(by, code.i64());
    if (ptx::has(instr, "l"))
      return code.trunc(code.shr(code.make<arith::ShLIOp>(pair, count), 32), word);
    return code.trunc(code.make<arith::ShRUIOp>(pair, count), word);
  }
  return {};
}

namespace {
// `length` low bits set; 64 or more: all.
Value lowBits(Code &code, Value length) {
  Value inside = code.cmp(CmpIPredicate::ult, length, code.i64(64));
  Value one = code.i64(1), count = code.select(inside, length, code.i64(0));
  return code.select(inside, code.sub(code.make<arith::ShLIOp>(one, count), one), code.i64(-1));
}
// Zero for 64 and more.
template <class Op> Value shiftBy(Code &code, Value bits, Value by) {
  Value inside = code.cmp(CmpIPredicate::ult, by, code.i64(64));
  Value moved = code.make<Op>(bits, code.select(inside, by, code.i64(0)));
  return code.select(inside, moved, code.i64(0));
}
} // namespace

// Instructions on one or two numbers of a type; null for others.
Value AsmEmitter::plainOp(const AsmInstr &instr, Value a, Value b, bool isSigned) {
  Value zero = code.zero(a.getType()), ones = code.integer(a.getType(), -1);
  const std::string &name = instr.opcode;
  if (name == "mov")
    return a;
  if (name == "and")
    return code.both(a, b);
  if (name == "or")
    return code.either(a, b);
  if (name == "xor")
    return code.exclusive(a, b);
  if (name == "not")
    return code.exclusive(a, ones);
  if (name == "add")
    return code.add(a, b);
  if (name == "sub")
    return code.sub(a, b);
  if (name == "neg")
    return code.sub(zero, a);
  if (name == "abs")
    return code.select(code.cmp(CmpIPredicate::slt, a, zero), code.sub(zero, a), a);
  if (name == "min")
    return isSigned ? code.make<arith::MinSIOp>(a, b) : code.make<arith::MinUIOp>(a, b);
  if (name == "max")
    return isSigned ? code.make<arith::MaxSIOp>(a, b) : code.make<arith::MaxUIOp>(a, b);
  if (name == "div")
    return emitIntegerBinary(code, isSigned ? OpId::arith_divsi : OpId::arith_divui, a, b);
  if (name == "rem")
    return code.select(code.cmp(CmpIPredicate::eq, b, zero), ones, // as a GPU has it
                       emitIntegerBinary(code, isSigned ? OpId::arith_remsi : OpId::arith_remui, a, b));
  if (name == "shl" || name == "shr")
    return shifted(instr, a, isSigned);
  if (name == "brev")
    return code.b
        .create<LLVM::CallIntrinsicOp>(code.loc, a.getType(), code.b.getStringAttr("llvm.bitreverse"),
                                       ValueRange{a}, LLVM::FastmathFlagsAttr())
        .getResult(0);
  return {};
}

// bfe and bfi, in 64 bits; null for others.
Value AsmEmitter::fieldOp(const AsmInstr &instr, Value a, Value b, bool isSigned) {
  auto byteOf = [&](size_t n) { return code.both(read(instr.operands[n]), code.i64(255)); };
  Value wide = code.zext(a, code.i64()), ones = code.i64(-1);
  if (instr.opcode == "bfi") {
    Value from = byteOf(3), field = lowBits(code, byteOf(4));
    Value place = shiftBy<arith::ShLIOp>(code, field, from);
    Value put = shiftBy<arith::ShLIOp>(code, code.both(wide, field), from);
    return code.either(code.both(code.zext(b, code.i64()), code.exclusive(place, ones)), put);
  }
  if (instr.opcode != "bfe")
    return {};
  Value from = byteOf(2), length = byteOf(3);
  if (!isSigned)
    return code.both(shiftBy<arith::ShRUIOp>(code, wide, from), lowBits(code, length));
  // Above the number stands its sign, above the field the field's.
  Value field =
      code.make<arith::ShRSIOp>(code.sext(a, code.i64()), code.make<arith::MinUIOp>(from, code.i64(63)));
  Value above = code.sub(code.i64(64), code.make<arith::MinUIOp>(length, code.i64(64)));
  Value some = code.cmp(CmpIPredicate::ne, length, code.i64(0));
  Value by = code.select(some, above, code.i64(0));
  Value whole = code.make<arith::ShRSIOp>(code.make<arith::ShLIOp>(field, by), by);
  return code.select(some, whole, code.i64(0));
}

Value AsmEmitter::dotOfBytes(const AsmInstr &instr, Value a, Value b, Value c, bool isSigned) {
  bool signedA = instr.suffixes.front() == "s32";
  for (unsigned n = 0; n < 4; ++n) {
    auto byte = [&](Value x, bool sign) {
      Value one = code.trunc(code.shr(x, 8 * n), code.i8());
      return sign ? code.sext(one, x.getType()) : code.zext(one, x.getType());
    };
    c = code.add(c, code.mul(byte(a, signedA), byte(b, isSigned)));
  }
  return c;
}

bool AsmEmitter::integerOp(const AsmInstr &instr, const std::string &typeName) {
  unsigned bytes = ptx::widthOf(typeName);
  bool isSigned = typeName.front() == 's';
  const std::string &name = instr.opcode;
  auto operand = [&](size_t n) {
    return n < instr.operands.size() ? read(instr.operands[n], bytes) : code.integer(type(bytes), 0);
  };
  Value a = operand(1), b = operand(2), c = operand(3), result;
  if (name == "mul" || name == "mad") {
    result = product(instr, bytes, isSigned);
    if (ptx::has(instr, "wide"))
      bytes *= 2;
    if (name == "mad")
      result = code.add(result, read(instr.operands[3], bytes));
  } else if (name == "popc" || name == "clz") {
    if (name == "popc")
      result = code.b.create<math::CtPopOp>(code.loc, a);
    else
      result = code.b.create<math::CountLeadingZerosOp>(code.loc, a);
    result = code.zext(result, code.i64());
    bytes = 4;
  } else if (name == "dp4a") {
    result = dotOfBytes(instr, a, b, c, isSigned);
  } else if (!(result = plainOp(instr, a, b, isSigned)) && !(result = fieldOp(instr, a, b, isSigned)) &&
             !(result = bitsOp(instr, a, b, c))) {
    return false;
  }
  write(instr.operands[0], result, bytes);
  return true;
}

bool AsmEmitter::compare(const AsmInstr &instr) {
  llvm::StringRef test = instr.suffixes[0];
  const std::string &typeName = instr.suffixes[1];
  unsigned bytes = ptx::widthOf(typeName);
  int at = llvm::StringSwitch<int>(test)
               .Case("eq", 0)
               .Case("ne", 1)
               .Case("lt", 2)
               .Case("le", 3)
               .Case("gt", 4)
               .Case("ge", 5)
               .Default(-1);
  if (at < 0)
    return false;
  Value a = read(instr.operands[1], bytes), b = read(instr.operands[2], bytes), holds;
  if (auto real = ptx::floatType(typeName)) {
    using P = arith::CmpFPredicate;
    constexpr P tests[] = {P::OEQ, P::ONE, P::OLT, P::OLE, P::OGT, P::OGE};
    holds = code.cmp(tests[at], toCompute(code, a, *real), toCompute(code, b, *real));
  } else {
    using P = CmpIPredicate;
    constexpr P ofSigned[] = {P::eq, P::ne, P::slt, P::sle, P::sgt, P::sge};
    constexpr P ofUnsigned[] = {P::eq, P::ne, P::ult, P::ule, P::ugt, P::uge};
    holds = code.cmp(typeName.front() == 's' ? ofSigned[at] : ofUnsigned[at], a, b);
  }
  write(instr.operands[0], code.zext(holds, code.i64()), 8);
  return true;
}

bool AsmEmitter::emit(const AsmInstr &instr) {
  if (instr.opcode == "cvt")
    return convert(instr);
  if (instr.opcode == "setp")
    return compare(instr);
  const std::string &last = instr.suffixes.back();
  if (instr.opcode == "selp") {
    unsigned bytes = ptx::widthOf(last);
    Value first = code.cmp(CmpIPredicate::ne, read(instr.operands[3]), code.i64(0));
    write(instr.operands[0],
          code.select(first, read(instr.operands[1], bytes), read(instr.operands[2], bytes)), bytes);
    return true;
  }
  return instr.opcode != "mov" && ptx::floatType(last) ? floatOp(instr, last) : integerOp(instr, last);
}

} // namespace trisect::cpu
