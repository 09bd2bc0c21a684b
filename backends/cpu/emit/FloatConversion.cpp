//===- FloatConversion.cpp - between float formats, in integer arithmetic -------------------------------===//
//
// What: convertFloat(). Widening is exact; narrowing rounds once, also from f64, which goes through an f32
// rounded to odd.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/emit/Choice.h"
#include "backends/cpu/emit/PathMarks.h"
#include "backends/cpu/emit/Types.h"
#include "core/support/Outcome.h"

using namespace mlir;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace trisect::cpu {

namespace {

/// A format of at most 16 bits whose values are f32 values.
struct Narrow {
  unsigned bits, mantissa;
  int bias;
  bool infinities;   ///< has infinity; else overflow saturates
  unsigned nan;      ///< the pattern for NaN
  unsigned largest;  ///< the largest finite pattern
  bool unsignedZero; ///< no negative zero: its pattern is NaN
};

Narrow narrowFormat(DType type) {
  switch (type) {
  case DType::F8E5M2:
    return {8, 2, 15, true, 0x7f, 0x7b, false};
  case DType::F8E4M3FN:
    return {8, 3, 7, false, 0x7f, 0x7e, false};
  case DType::F8E5M2FNUZ:
    return {8, 2, 16, false, 0x80, 0x7f, true};
  default:
    return {8, 3, 8, false, 0x80, 0x7f, true};
  }
}

Value widenBf16(Code &code, Value value) {
  return code.bits(code.shl(code.zext(value, code.i32()), 16), code.f32());
}

Value extended(Code &code, Value value) {
  return code.b.create<arith::ExtFOp>(code.loc, withElement(value.getType(), code.f32()), value);
}

// Whether a format's numbers are f16's but for a power of two, and the machine widens f16 (all with AVX2 do).
// Why: an f32 multiplication takes three times as long where one of a vector's numbers is subnormal.
bool goesThroughHalf(const Code &code, const Narrow &format) {
  return code.machine && code.machine->vectorBytes >= 32 && (format.mantissa == 3 || format.infinities);
}

Value widenThroughHalf(Code &code, Value value, const Narrow &format) {
  Value half = code.shl(code.sext(value, code.i16()), 10 - format.mantissa);
  Type word = half.getType();
  if (format.mantissa == 3) // the sign twice
    half = code.both(half, code.integer(word, 0xbf80 - 0x10000));
  Value result = extended(code, code.bits(half, code.b.getF16Type()));
  Type real = result.getType();
  if (format.bias != 15)
    result = code.mulf(result, code.real(real, static_cast<double>(1 << (15 - format.bias))));
  // Asked of the bytes: LLVM compares vectors of f16 lane by lane.
  Type byte = value.getType();
  Value magnitude = code.both(value, code.integer(byte, 0x7f));
  Value isNan = format.unsignedZero
                    ? code.cmp(CmpIPredicate::eq, value, code.integer(byte, -0x80))
                    : code.cmp(CmpIPredicate::ugt, magnitude,
                               code.integer(byte, format.largest + (format.infinities ? 1 : 0)));
  return code.select(isNan, code.realBits(real, 0x7fc00000), result);
}

// Exponent and mantissa are moved to their place in f32 and scaled; that is exact for subnormals as well.
Value widen8(Code &code, Value value, DType type) {
  Narrow format = narrowFormat(type);
  if (goesThroughHalf(code, format))
    return widenThroughHalf(code, value, format);
  Value wide = code.zext(value, code.i32());
  Type word = wide.getType();
  Value magnitude = code.shl(code.both(wide, code.integer(word, 0x7f)), 23 - format.mantissa);
  Value sign = code.shl(code.both(wide, code.integer(word, 0x80)), 24);
  Type real = withElement(word, code.f32());
  Value scale = code.realBits(real, static_cast<uint64_t>(127 + 127 - format.bias) << 23);
  Value scaled = code.bits(code.mulf(code.bits(magnitude, code.f32()), scale), code.i32());
  Value result = code.either(scaled, sign);
  Value nan = code.integer(word, 0x7fc00000);
  Value low = code.both(wide, code.integer(word, 0x7f));
  if (format.unsignedZero)
    result = code.select(code.cmp(CmpIPredicate::eq, wide, code.integer(word, 0x80)), nan, result);
  else if (!format.infinities)
    result = code.select(code.cmp(CmpIPredicate::eq, low, code.integer(word, 0x7f)), nan, result);
  else {
    // The all-ones exponent: infinity without a mantissa, else NaN.
    Value infinity = code.either(code.integer(word, 0x7f800000), sign);
    result =
        code.select(code.cmp(CmpIPredicate::ugt, low, code.integer(word, format.largest)), infinity, result);
    result =
        code.select(code.cmp(CmpIPredicate::ugt, low, code.integer(word, format.largest + 1)), nan, result);
  }
  return code.bits(result, code.f32());
}

// The upper half of f32. What rounding adds reaches the sign of no number.
Value upperHalf(Code &code, Value value, bool nearest) {
  Value raw = code.bits(value, code.i32()), upper = code.shr(raw, 16), result = upper;
  auto number = [&](int64_t n) { return code.integer(raw.getType(), n); };
  if (nearest) {
    Value odd = code.both(upper, number(1));
    result = code.shr(code.add(raw, code.add(odd, number(0x7fff))), 16);
  }
  Value isNan = code.cmp(CmpFPredicate::UNO, value, value);
  return code.trunc(code.select(isNan, code.either(upper, number(0x40)), result), code.b.getIntegerType(16));
}

/// Which of sixteen lanes, or of those that are as far behind, are subnormal and not zero.
Value subnormals(Code &code, Value value) {
  constexpr unsigned atOnce = 16;
  if (lanesOf(value.getType()) > atOnce)
    return code.either(subnormals(code, code.half(value, false)), subnormals(code, code.half(value, true)));
  Value which = code.integer(code.i32(), 0x20);
  return code.intrinsic("llvm.x86.avx512.fpclass.ps.512", vectorOf(code.i1(), atOnce), {value, which});
}

/// A third of the time, by an instruction that takes subnormal numbers for zero.
Value narrowToBf16(Code &code, Value value, bool nearest) {
  unsigned lanes = lanesOf(value.getType());
  if (!nearest || lanes % 16 != 0 || !code.machine || !code.machine->has("+avx512bf16"))
    return upperHalf(code, value, nearest);
  Value any = code.anyTrue(subnormals(code, value));
  Type half = code.b.getIntegerType(16), narrow = vectorOf(code.b.getBF16Type(), lanes);
  scf::IfOp choice = eitherWay(code, vectorOf(half, lanes), any, [&](bool slow) {
    return SmallVector<Value>{slow
                                  ? upperHalf(code, value, nearest)
                                  : code.bits(code.b.create<arith::TruncFOp>(code.loc, narrow, value), half)};
  });
  markPaths(choice, "bf16 of subnormal numbers", "bf16 by an instruction");
  return choice.getResult(0);
}

Value narrowFromF32(Code &code, Value value, DType type, Rounding rounding) {
  bool nearest = rounding == Rounding::NearestEven;
  if (type == DType::BF16)
    return narrowToBf16(code, value, nearest);
  Narrow format = narrowFormat(type);
  Value raw = code.bits(value, code.i32());
  Type word = raw.getType();
  auto number = [&](int64_t n) { return code.integer(word, n); };
  Value magnitude = code.both(raw, number(0x7fffffff));
  unsigned drop = 23 - format.mantissa;
  // Normal numbers: round in place, then move the exponent.
  Value rounded = magnitude;
  if (nearest) {
    Value odd = code.both(code.shr(magnitude, drop), number(1));
    rounded = code.add(code.add(magnitude, number((int64_t(1) << (drop - 1)) - 1)), odd);
  }
  Value result = code.sub(code.shr(rounded, drop), number(int64_t(127 - format.bias) << format.mantissa));
  // Below the smallest normal number: let an f32 addition drop the bits.
  int exponent = 127 + 1 - format.bias - static_cast<int>(format.mantissa) + 23;
  Type real = value.getType();
  Value magic = code.realBits(real, static_cast<uint64_t>(exponent) << 23);
  Value absolute = code.bits(magnitude, code.f32());
  Value sum = code.addf(absolute, magic);
  Value subnormal = code.sub(code.bits(sum, code.i32()), number(int64_t(exponent) << 23));
  if (!nearest) {
    Value above = code.cmp(CmpFPredicate::OGT, code.subf(sum, magic), absolute);
    subnormal = code.select(above, code.sub(subnormal, number(1)), subnormal);
  }
  int64_t smallest = int64_t(127 + 1 - format.bias) << 23;
  result = code.select(code.cmp(CmpIPredicate::ult, magnitude, number(smallest)), subnormal, result);
  // 8-bit formats saturate, infinity too.
  result = code.select(code.cmp(CmpIPredicate::sgt, result, number(format.largest)), number(format.largest),
                       result);
  Value sign = code.shr(code.both(raw, number(INT32_MIN)), 32 - format.bits);
  if (format.unsignedZero)
    sign = code.select(code.cmp(CmpIPredicate::eq, result, number(0)), number(0), sign);
  result = code.either(result, sign);
  Value isNan = code.cmp(CmpIPredicate::ugt, magnitude, number(0x7f800000));
  Value nan = number(format.nan);
  if (!format.unsignedZero)
    nan = code.either(nan, sign);
  return code.trunc(code.select(isNan, nan, result), code.b.getIntegerType(format.bits));
}

// f64 to f32 so that a second rounding to a narrower format is right: inexact results get an odd last bit.
Value toOddF32(Code &code, Value value) {
  Type real = withElement(value.getType(), code.f32());
  Value near = code.b.create<arith::TruncFOp>(code.loc, real, value);
  Value back = code.b.create<arith::ExtFOp>(code.loc, value.getType(), near);
  Value raw = code.bits(near, code.i32());
  Type word = raw.getType();
  Value one = code.integer(word, 1);
  Value magnitudeMask = code.integer(withElement(word, code.i64()), INT64_MAX);
  Value wideBack = code.both(code.bits(back, code.i64()), magnitudeMask);
  Value wideValue = code.both(code.bits(value, code.i64()), magnitudeMask);
  // Rounding towards zero, then setting the last bit, is rounding to odd.
  Value grew = code.cmp(CmpIPredicate::ugt, wideBack, wideValue);
  Value toZero = code.select(grew, code.sub(raw, one), raw);
  Value inexact = code.cmp(CmpFPredicate::ONE, back, value);
  return code.bits(code.select(inexact, code.either(toZero, one), raw), code.f32());
}

// One step of the hardware's formats down, towards zero: the nearest one, or the one before it if that is
// farther from zero than the value. A NaN stays what it became.
Value truncateTowardsZero(Code &code, Value value, Type to) {
  Type from = elementOf(value.getType());
  Value near = code.b.create<arith::TruncFOp>(code.loc, withElement(value.getType(), to), value);
  Value back = code.b.create<arith::ExtFOp>(code.loc, value.getType(), near);
  Value raw = code.bits(near, code.b.getIntegerType(to.getIntOrFloatBitWidth()));
  Type word = code.b.getIntegerType(from.getIntOrFloatBitWidth());
  Value mask = code.integer(withElement(value.getType(), word),
                            from.isF64() ? INT64_MAX : std::numeric_limits<int32_t>::max());
  auto absolute = [&](Value x) { return code.bits(code.both(code.bits(x, word), mask), from); };
  Value grew = code.cmp(CmpFPredicate::OGT, absolute(back), absolute(value));
  Value less = code.sub(raw, code.integer(raw.getType(), 1));
  return code.bits(code.select(grew, less, raw), to);
}

} // namespace

Value convertFloat(Code &code, Value value, Type from, Type to, Rounding rounding) {
  if (from == to)
    return value;
  DType source = dtypeOf(from), target = dtypeOf(to);
  auto native = [](DType type) { return type == DType::F16 || type == DType::F32 || type == DType::F64; };
  // Every format but f64 goes through f32.
  if (source == DType::BF16)
    value = widenBf16(code, value);
  else if (isFloat8(source))
    value = widen8(code, value, source);
  else if (source == DType::F16 && target != DType::F16)
    value = extended(code, value);
  bool wide = source == DType::F64;
  if (target == DType::F64)
    return code.b.create<arith::ExtFOp>(code.loc, withElement(value.getType(), code.f64()), value);
  auto narrowed = [&](Type format) -> Value {
    if (rounding == Rounding::ToZero)
      return truncateTowardsZero(code, value, format);
    return code.b.create<arith::TruncFOp>(code.loc, withElement(value.getType(), format), value);
  };
  if (target == DType::F32)
    return wide ? narrowed(code.f32()) : value;
  if (wide)
    value = toOddF32(code, value);
  if (!native(target))
    return narrowFromF32(code, value, target, rounding);
  return narrowed(code.b.getF16Type());
}

} // namespace trisect::cpu
