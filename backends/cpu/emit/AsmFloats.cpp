//===- AsmFloats.cpp - PTX float instructions and conversions as code -----------------------------------===//
//
// What: arithmetic of f16, bf16, f32, f64 and packed pairs, to nearest, with `.ftz`, `.sat` and `.relu`; cvt
// between integers, those, tf32 and pairs of e4m3, e5m2 and e2m1. The approximate forms are the accurate
// ones; NaN is what a GPU makes of it. Limits: other roundings and formats are not known.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/emit/AsmEmitter.h"
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/Types.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace trisect::cpu {

namespace {
Type formatOf(Code &code, DType type) {
  switch (type) {
  case DType::F16:
    return code.b.getF16Type();
  case DType::BF16:
    return code.b.getBF16Type();
  case DType::F64:
    return code.f64();
  case DType::F8E4M3FN:
    return code.b.getFloat8E4M3FNType();
  case DType::F8E5M2:
    return code.b.getFloat8E5M2Type();
  default:
    return code.f32();
  }
}

Value numberLike(Code &code, Value bits, uint64_t number) {
  return code.integer(bits.getType(), static_cast<int64_t>(number));
}

Value isNan(Code &code, Value bits, DType type) {
  ptx::FloatBits layout(type);
  Value size = code.both(bits, numberLike(code, bits, ~layout.sign));
  return code.cmp(CmpIPredicate::ugt, size, numberLike(code, bits, layout.infinity));
}

// What an NVIDIA GPU makes of each NaN (core/ptx/AsmTypes.h).
Value oneNan(Code &code, Value bits, DType type) {
  uint64_t nan = ptx::FloatBits(type).nan;
  return nan ? code.select(isNan(code, bits, type), numberLike(code, bits, nan), bits) : bits;
}

// A subnormal number as a zero of its sign.
Value flushed(Code &code, Value bits, DType type) {
  ptx::FloatBits layout(type);
  Value zero = numberLike(code, bits, 0);
  Value normal = code.cmp(CmpIPredicate::ne, code.both(bits, numberLike(code, bits, layout.infinity)), zero);
  return code.select(normal, bits, code.both(bits, numberLike(code, bits, layout.sign)));
}

Value fromBits(Code &code, Value bits, Type format) { return code.bits(bits, emittedType(format)); }
Value toBits(Code &code, Value value) {
  return code.bits(value, code.b.getIntegerType(elementOf(value.getType()).getIntOrFloatBitWidth()));
}

OpId arithmeticOf(const AsmInstr &instr) {
  bool nan = ptx::has(instr, "NaN");
  return llvm::StringSwitch<OpId>(instr.opcode)
      .Case("add", OpId::arith_addf)
      .Case("sub", OpId::arith_subf)
      .Case("mul", OpId::arith_mulf)
      .Cases("fma", "mad", OpId::math_fma)
      .Case("min", nan ? OpId::arith_minimumf : OpId::arith_minnumf)
      .Case("max", nan ? OpId::arith_maximumf : OpId::arith_maxnumf)
      .Case("neg", OpId::arith_negf)
      .Case("abs", OpId::math_absf)
      .Case("sqrt", OpId::math_sqrt)
      .Case("rsqrt", OpId::math_rsqrt)
      .Case("ex2", OpId::math_exp2)
      .Case("lg2", OpId::math_log2)
      .Case("sin", OpId::math_sin)
      .Case("cos", OpId::math_cos)
      .Case("tanh", OpId::math_tanh)
      .Cases("div", "rcp", OpId::arith_divf)
      .Case("copysign", OpId::math_copysign)
      .Default(OpId::arith_constant);
}

/// What stands between `cvt` and the types.
struct Modes {
  bool truncates = false, relu = false, saturates = false;
  OpId whole = OpId::arith_constant; ///< the op that rounds to a whole number; arith_constant: none

  explicit Modes(const AsmInstr &instr) {
    for (size_t n = 0; n + 2 < instr.suffixes.size(); ++n) {
      llvm::StringRef word = instr.suffixes[n];
      OpId rounds = llvm::StringSwitch<OpId>(word)
                        .Case("rni", OpId::math_roundeven)
                        .Case("rzi", OpId::math_trunc)
                        .Case("rmi", OpId::math_floor)
                        .Case("rpi", OpId::math_ceil)
                        .Default(OpId::arith_constant);
      if (rounds != OpId::arith_constant)
        whole = rounds;
      truncates |= word == "rz";
      relu |= word == "relu";
      saturates |= word == "sat";
    }
  }
};

/// 0, 0.5, 1, 1.5, 2, 3, 4, 6 with a sign, to nearest even; the largest for what is beyond, and for NaN.
Value toE2m1(Code &code, Value number) {
  // Above each middle, or on it where the upper code is even, the next code begins.
  constexpr double middles[] = {0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5};
  Value size = code.bits(code.both(toBits(code, number), code.integer(code.i32(), 0x7fffffff)), code.f32());
  Value result = code.integer(code.i32(), 0);
  for (unsigned n = 0; n < 7; ++n) {
    auto test = n % 2 ? CmpFPredicate::OGE : CmpFPredicate::OGT;
    Value beyond = code.cmp(test, size, code.real(code.f32(), middles[n]));
    result = code.add(result, code.zext(beyond, code.i32()));
  }
  Value sign = code.shl(code.shr(toBits(code, number), 31), 3);
  Value isNan = code.cmp(CmpFPredicate::UNO, number, number);
  return code.select(isNan, code.integer(code.i32(), 7), code.either(result, sign));
}

/// As f16 bits.
Value fromE2m1(Code &code, Value four) {
  constexpr int64_t halves[] = {0, 0x3800, 0x3c00, 0x3e00, 0x4000, 0x4200, 0x4400, 0x4600};
  Value low = code.both(four, code.integer(code.i32(), 7)), result = code.integer(code.i32(), 0);
  for (int64_t n = 1; n < 8; ++n)
    result = code.select(code.cmp(CmpIPredicate::eq, low, code.integer(code.i32(), n)),
                         code.integer(code.i32(), halves[n]), result);
  return code.either(result, code.shl(code.both(four, code.integer(code.i32(), 8)), 12));
}
} // namespace

Value toCompute(Code &code, Value bits, DType type) {
  Type format = formatOf(code, type);
  return convertFloat(code, fromBits(code, bits, format), format,
                      type == DType::F64 ? code.f64() : code.f32());
}

bool AsmEmitter::floatOp(const AsmInstr &instr, const std::string &typeName) {
  OpId op = arithmeticOf(instr);
  if (op == OpId::arith_constant)
    return false;
  DType element = *ptx::floatType(typeName);
  Type format = formatOf(code, element);
  const bool flush = ptx::flushes(instr, element), copies = instr.opcode == "copysign";
  const bool signOnly = instr.opcode == "neg" || instr.opcode == "abs";
  unsigned size = format.getIntOrFloatBitWidth() / 8,
           count = llvm::StringRef(typeName).ends_with("x2") ? 2 : 1;
  auto constant = [&](double number) {
    return convertFloat(code, code.real(code.f64(), number), code.f64(), format);
  };
  size_t inputs = instr.operands.size() - 1;
  Value result = code.integer(type(size * count), 0);
  for (unsigned n = 0; n < count; ++n) {
    SmallVector<Value> in;
    Value first;
    for (size_t k = 0; k < std::min<size_t>(inputs, 3); ++k) {
      Value bits = whole(code.shr(read(instr.operands[k + 1]), 16 * n), size);
      bits = flush ? flushed(code, bits, element) : bits;
      first = k ? first : bits;
      in.push_back(fromBits(code, bits, format));
    }
    if (instr.opcode == "rcp")
      in.insert(in.begin(), constant(1));
    else if (copies)
      std::swap(in[0], in[1]); // the sign comes first
    Value made = emitFloatArithmetic(code, op, format, in);
    if (!made)
      return false;
    if (ptx::has(instr, "sat")) {
      made = emitFloatArithmetic(code, OpId::arith_maxnumf, format, {made, constant(0)});
      made = emitFloatArithmetic(code, OpId::arith_minnumf, format, {made, constant(1)});
    } else if (ptx::has(instr, "relu")) {
      made = emitFloatArithmetic(code, OpId::arith_maximumf, format, {made, constant(0)});
    }
    Value bits = toBits(code, made);
    if (flush)
      bits = flushed(code, bits, element);
    if (element == DType::F64 && signOnly)
      bits = code.select(isNan(code, first, element), code.either(first, code.i64(int64_t(1) << 51)), bits);
    else if (!copies)
      bits = oneNan(code, bits, element);
    result = code.either(result, code.shl(code.zext(bits, type(size * count)), 16 * n));
  }
  write(instr.operands[0], result, size * count);
  return true;
}

void AsmEmitter::convertSmall(const AsmInstr &instr) {
  auto small = [](llvm::StringRef name) {
    return llvm::StringSwitch<unsigned>(name).Cases("e4m3x2", "e5m2x2", 8).Case("e2m1x2", 4).Default(0);
  };
  const std::string &to = instr.suffixes[instr.suffixes.size() - 2], &from = instr.suffixes.back();
  bool relu = ptx::has(instr, "relu");
  Type half = code.b.getF16Type();
  auto formatNamed = [&](llvm::StringRef name) {
    return formatOf(code, name.starts_with("e4m3") ? DType::F8E4M3FN : DType::F8E5M2);
  };
  if (unsigned width = small(from)) {
    Value a = read(instr.operands[1], 4), halves[2];
    for (unsigned n = 0; n < 2; ++n) {
      Value part = code.both(code.shr(a, width * n), code.integer(code.i32(), (1 << width) - 1));
      if (width == 4) {
        halves[n] = fromE2m1(code, part);
        continue;
      }
      Value wide = toBits(code, convertFloat(code, code.trunc(part, code.i8()), formatNamed(from), half));
      halves[n] = code.zext(oneNan(code, wide, DType::F16), code.i32());
    }
    return write(instr.operands[0], code.either(code.shl(halves[1], 16), halves[0]), 4);
  }
  unsigned width = small(to);
  Value upper, lower;
  if (from == "f32") {
    upper = code.bits(read(instr.operands[1], 4), code.f32());
    lower = code.bits(read(instr.operands[2], 4), code.f32());
  } else { // f16x2
    Value pair = read(instr.operands[1], 4);
    upper = toCompute(code, code.trunc(code.shr(pair, 16), code.i16()), DType::F16);
    lower = toCompute(code, code.trunc(pair, code.i16()), DType::F16);
  }
  auto made = [&](Value number) {
    if (relu) {
      Value zero = code.real(code.f32(), 0);
      number = code.select(code.cmp(CmpFPredicate::OLE, number, zero), zero, number);
    }
    if (width == 4)
      return toE2m1(code, number);
    Value bits = code.zext(convertFloat(code, number, code.f32(), formatNamed(to)), code.i32());
    return code.select(code.cmp(CmpFPredicate::UNO, number, number), code.integer(code.i32(), 0x7f), bits);
  };
  write(instr.operands[0], code.either(code.shl(made(upper), width), made(lower)), width == 4 ? 1 : 2);
}

/// An f32 in the nearest tf32, halves away from zero.
void AsmEmitter::convertToTf32(const AsmInstr &instr) {
  Value bits = read(instr.operands[1], 4), exponent = code.integer(code.i32(), 0x7f800000);
  Value finite = code.cmp(CmpIPredicate::ne, code.both(bits, exponent), exponent);
  Value rounded = code.select(finite, code.add(bits, code.integer(code.i32(), 0x1000)), bits);
  write(instr.operands[0], code.both(rounded, code.integer(code.i32(), 0xffffe000)), 4);
}

/// Two f32 into one pair; the first source is the upper half.
void AsmEmitter::convertPair(const AsmInstr &instr, DType to, Rounding rounding, bool relu) {
  Type format = formatOf(code, to);
  Value pair = code.integer(code.i32(), 0);
  for (size_t n = 1; n <= 2; ++n) {
    Value made =
        convertFloat(code, code.bits(read(instr.operands[n], 4), code.f32()), code.f32(), format, rounding);
    if (relu)
      made = emitFloatArithmetic(code, OpId::arith_maximumf, format,
                                 {made, convertFloat(code, code.real(code.f32(), 0), code.f32(), format)});
    pair = code.either(code.shl(pair, 16), code.zext(oneNan(code, toBits(code, made), to), code.i32()));
  }
  write(instr.operands[0], pair, 4);
}

bool AsmEmitter::convert(const AsmInstr &instr) {
  const std::string &to = instr.suffixes[instr.suffixes.size() - 2], &from = instr.suffixes.back();
  Modes modes(instr);
  auto isSmall = [](llvm::StringRef name) { return name.ends_with("x2") && name.starts_with("e"); };
  if (isSmall(to) || isSmall(from)) {
    convertSmall(instr);
    return true;
  }
  if (to == "tf32") {
    convertToTf32(instr);
    return true;
  }
  auto toFloat = ptx::floatType(to), fromFloat = ptx::floatType(from);
  unsigned toBytes = ptx::widthOf(to), fromBytes = ptx::widthOf(from);
  Rounding rounding = modes.truncates ? Rounding::ToZero : Rounding::NearestEven;
  if (toFloat && fromFloat && llvm::StringRef(to).ends_with("x2")) {
    convertPair(instr, *toFloat, rounding, modes.relu);
    return true;
  }
  Value a = read(instr.operands[1], fromBytes), result;
  Type source = fromFloat ? formatOf(code, *fromFloat) : Type(),
       target = toFloat ? formatOf(code, *toFloat) : Type();
  const bool flush = ptx::flushes(instr, DType::F32);
  Value nan;
  if (fromFloat) {
    nan = isNan(code, a, *fromFloat);
    if (flush && *fromFloat == DType::F32)
      a = oneNan(code, flushed(code, a, DType::F32), DType::F32);
    a = fromBits(code, a, source);
    if (modes.whole != OpId::arith_constant)
      a = emitFloatArithmetic(code, modes.whole, source, {a});
  }
  if (toFloat && fromFloat) {
    result = convertFloat(code, a, source, target, toBytes < fromBytes ? rounding : Rounding::NearestEven);
    if (modes.relu)
      result =
          emitFloatArithmetic(code, OpId::arith_maximumf, target,
                              {result, convertFloat(code, code.real(code.f64(), 0), code.f64(), target)});
  } else if (toFloat) {
    result = emitIntegerToFloat(code, a, target, from.front() == 's');
  } else if (fromFloat) {
    result = emitFloatToInteger(code, a, source, type(toBytes), to.front() == 's');
    result = code.select(nan, numberLike(code, result, ptx::wholeOfNan(*fromFloat, toBytes)), result);
    modes.saturates = false; // as it is without the word
  } else {
    result = from.front() == 's' ? code.sext(a, code.i64()) : code.zext(a, code.i64());
  }
  if (modes.saturates) {
    auto constant = [&](double number) {
      return convertFloat(code, code.real(code.f64(), number), code.f64(), target);
    };
    result = emitFloatArithmetic(code, OpId::arith_maxnumf, target, {result, constant(0)});
    result = emitFloatArithmetic(code, OpId::arith_minnumf, target, {result, constant(1)});
  }
  Value bits = toBits(code, result);
  if (toFloat && flush && *toFloat == DType::F32)
    bits = flushed(code, bits, DType::F32);
  if (toFloat && !(fromFloat && ptx::keepsNan(instr)))
    bits = oneNan(code, bits, *toFloat);
  write(instr.operands[0], bits, toBytes);
  return true;
}

} // namespace trisect::cpu
