//===- FloatConversion.cpp - between float formats ------------------------------------------------------===//
//
// What: conversions of whole lists of values. A machine's instruction is used where it has one; the rest is
// integer arithmetic that rounds once, also from f64, which goes through an f32 rounded to odd.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Elementwise.h"

using namespace llvm;

namespace trisect::cuda {

namespace {

/// A format of at most 16 bits whose values are f32 values.
struct Narrow {
  unsigned bits, mantissa;
  int bias;
  bool infinities;   ///< its largest exponent holds infinity and NaN
  bool saturates;    ///< what is too large becomes the largest finite value
  unsigned nan;      ///< the pattern for NaN
  unsigned largest;  ///< the largest finite pattern
  bool unsignedZero; ///< no negative zero: its pattern is NaN
};

Narrow narrowFormat(DType type) {
  switch (type) {
  case DType::F16:
    return {16, 10, 15, true, false, 0x7e00, 0x7bff, false};
  case DType::BF16:
    return {16, 7, 127, true, false, 0x7fff, 0x7f7f, false};
  case DType::F8E5M2:
    return {8, 2, 15, true, true, 0x7f, 0x7b, false};
  case DType::F8E4M3FN:
    return {8, 3, 7, false, true, 0x7f, 0x7e, false};
  case DType::F8E5M2FNUZ:
    return {8, 2, 16, false, true, 0x80, 0x7f, true};
  default:
    return {8, 3, 8, false, true, 0x80, 0x7f, true};
  }
}

bool isNarrow(DType type) { return type != DType::F32 && type != DType::F64; }

// Exponent and mantissa are moved to their place in f32 and scaled; that is exact for subnormals as well.
Value *widen(IRBuilder<> &b, Value *value, DType type) {
  Narrow format = narrowFormat(type);
  Value *wide = b.CreateZExt(value, b.getInt32Ty());
  if (type == DType::BF16)
    return b.CreateBitCast(b.CreateShl(wide, 16), b.getFloatTy());
  uint32_t signBit = 1u << (format.bits - 1);
  Value *low = b.CreateAnd(wide, signBit - 1);
  Value *magnitude = b.CreateShl(low, 23 - format.mantissa);
  Value *sign = b.CreateShl(b.CreateAnd(wide, signBit), 32 - format.bits);
  Value *scale = b.CreateBitCast(b.getInt32((127 + 127 - format.bias) << 23), b.getFloatTy());
  Value *scaled =
      b.CreateBitCast(b.CreateFMul(b.CreateBitCast(magnitude, b.getFloatTy()), scale), b.getInt32Ty());
  Value *result = b.CreateOr(scaled, sign), *nan = b.getInt32(0x7fc00000);
  if (format.unsignedZero) {
    result = b.CreateSelect(b.CreateICmpEQ(wide, b.getInt32(0x80)), nan, result);
  } else if (!format.infinities) {
    result = b.CreateSelect(b.CreateICmpEQ(low, b.getInt32(0x7f)), nan, result);
  } else {
    // The all-ones exponent: infinity without a mantissa, else NaN.
    Value *infinity = b.CreateOr(b.getInt32(0x7f800000), sign);
    result = b.CreateSelect(b.CreateICmpUGT(low, b.getInt32(format.largest)), infinity, result);
    result =
        b.CreateSelect(b.CreateICmpUGT(low, b.getInt32(format.largest + 1)), b.CreateOr(nan, sign), result);
  }
  return b.CreateBitCast(result, b.getFloatTy());
}

/// Below the smallest normal number an f32 sum drops the bits.
Value *subnormalBits(IRBuilder<> &b, Value *magnitude, const Narrow &format, bool nearest) {
  int exponent = 127 + 1 - format.bias - static_cast<int>(format.mantissa) + 23;
  Value *magic = b.CreateBitCast(b.getInt32(exponent << 23), b.getFloatTy());
  Value *absolute = b.CreateBitCast(magnitude, b.getFloatTy());
  Value *sum = b.CreateFAdd(absolute, magic);
  Value *bits = b.CreateSub(b.CreateBitCast(sum, b.getInt32Ty()), b.getInt32(exponent << 23));
  if (nearest)
    return bits;
  Value *above = b.CreateFCmpOGT(b.CreateFSub(sum, magic), absolute);
  return b.CreateSelect(above, b.CreateSub(bits, b.getInt32(1)), bits);
}

Value *narrow(IRBuilder<> &b, Value *value, DType type, bool nearest) {
  Narrow format = narrowFormat(type);
  Value *raw = b.CreateBitCast(value, b.getInt32Ty());
  Value *magnitude = b.CreateAnd(raw, 0x7fffffff), *rounded = magnitude;
  unsigned drop = 23 - format.mantissa;
  // Normal numbers: round in place, then move the exponent.
  if (nearest) {
    Value *odd = b.CreateAnd(b.CreateLShr(magnitude, drop), 1);
    rounded = b.CreateAdd(b.CreateAdd(magnitude, b.getInt32((1u << (drop - 1)) - 1)), odd);
  }
  Value *result =
      b.CreateSub(b.CreateLShr(rounded, drop), b.getInt32((127 - format.bias) << format.mantissa));
  if (format.bias != 127) {
    uint32_t smallest = uint32_t(127 + 1 - format.bias) << 23;
    Value *below = b.CreateICmpULT(magnitude, b.getInt32(smallest));
    result = b.CreateSelect(below, subnormalBits(b, magnitude, format, nearest), result);
  }
  Value *tooLarge = b.CreateICmpSGT(result, b.getInt32(format.largest));
  if (format.saturates) {
    result = b.CreateSelect(tooLarge, b.getInt32(format.largest), result);
  } else {
    Value *isInfinite = b.CreateICmpEQ(magnitude, b.getInt32(0x7f800000)),
          *infinity = b.getInt32(format.largest + 1);
    Value *over = nearest ? infinity : b.CreateSelect(isInfinite, infinity, b.getInt32(format.largest));
    result = b.CreateSelect(tooLarge, over, result);
  }
  Value *sign = b.CreateLShr(b.CreateAnd(raw, 0x80000000u), 32 - format.bits);
  if (format.unsignedZero)
    sign = b.CreateSelect(b.CreateICmpEQ(result, b.getInt32(0)), b.getInt32(0), sign);
  result = b.CreateOr(result, sign);
  Value *nan = b.getInt32(format.nan);
  if (!format.unsignedZero)
    nan = b.CreateOr(nan, sign);
  result = b.CreateSelect(b.CreateICmpUGT(magnitude, b.getInt32(0x7f800000)), nan, result);
  return b.CreateTrunc(result, b.getIntNTy(format.bits));
}

// f64 to f32 so that a second rounding to a narrower format is right: inexact results get an odd last bit.
Value *toOddF32(IRBuilder<> &b, Value *value) {
  Value *near = b.CreateFPTrunc(value, b.getFloatTy()), *back = b.CreateFPExt(near, b.getDoubleTy());
  Value *raw = b.CreateBitCast(near, b.getInt32Ty());
  auto magnitude = [&](Value *x) { return b.CreateAnd(b.CreateBitCast(x, b.getInt64Ty()), INT64_MAX); };
  // Rounding towards zero, then setting the last bit, is rounding to odd.
  Value *grew = b.CreateICmpUGT(magnitude(back), magnitude(value));
  Value *toZero = b.CreateSelect(grew, b.CreateSub(raw, b.getInt32(1)), raw);
  Value *inexact = b.CreateFCmpONE(back, value);
  return b.CreateBitCast(b.CreateSelect(inexact, b.CreateOr(toZero, 1), raw), b.getFloatTy());
}

// f64 to f32: the nearest one, or the one before it if that is farther from zero than the value.
Value *truncateToF32(IRBuilder<> &b, Value *value) {
  Value *near = b.CreateFPTrunc(value, b.getFloatTy()), *back = b.CreateFPExt(near, b.getDoubleTy());
  auto absolute = [&](Value *x) { return b.CreateUnaryIntrinsic(Intrinsic::fabs, x); };
  Value *grew = b.CreateFCmpOGT(absolute(back), absolute(value)); // false for a NaN
  Value *raw = b.CreateBitCast(near, b.getInt32Ty());
  return b.CreateBitCast(b.CreateSelect(grew, b.CreateSub(raw, b.getInt32(1)), raw), b.getFloatTy());
}

void eachOne(MutableArrayRef<Value *> values, function_ref<Value *(Value *)> change) {
  for (Value *&value : values)
    value = change(value);
}
} // namespace

DType computeType(DType type) { return type == DType::F64 ? DType::F64 : DType::F32; }

void convertFloats(Emitter &e, MutableArrayRef<Value *> values, DType from, DType to, Rounding rounding) {
  IRBuilder<> &b = e.b;
  if (from == to || e.machine.convertFloats(values, from, to, rounding))
    return;
  // Every format but f64 goes through f32.
  if (isNarrow(from)) {
    if (!e.machine.convertFloats(values, from, DType::F32, rounding))
      eachOne(values, [&](Value *value) { return widen(b, value, from); });
  } else if (from == DType::F64) {
    eachOne(values, [&](Value *value) {
      if (to != DType::F32)
        return toOddF32(b, value);
      return rounding == Rounding::Nearest ? b.CreateFPTrunc(value, b.getFloatTy()) : truncateToF32(b, value);
    });
  }
  if (to == DType::F64)
    eachOne(values, [&](Value *value) { return b.CreateFPExt(value, b.getDoubleTy()); });
  else if (isNarrow(to) && !e.machine.convertFloats(values, DType::F32, to, rounding))
    eachOne(values, [&](Value *value) { return narrow(b, value, to, rounding == Rounding::Nearest); });
}

Value *convertFloat(Emitter &e, Value *value, DType from, DType to, Rounding rounding) {
  convertFloats(e, value, from, to, rounding);
  return value;
}

} // namespace trisect::cuda
