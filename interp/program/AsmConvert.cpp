//===- AsmConvert.cpp - PTX cvt -------------------------------------------------------------------------===//
//
// cvt[.rounding][.ftz][.sat|.satfinite][.relu].to.from between integers, f16, bf16, f32, f64, tf32, pairs of
// f16 and bf16, and pairs of e4m3, e5m2 and e2m1. Rounding: rn, rna (tf32), rz; to whole numbers rni, rzi,
// rmi, rpi. Limits: words and operands are taken to be those of a form (core/ptx/AsmForms.def).
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/program/AsmMachine.h"
#include "interp/program/AsmScalar.h"
#include <algorithm>
#include <bit>
#include <cmath>

namespace trisect::interp {

using namespace ptx;

namespace {

/// What stands between `cvt` and the types.
struct Modes {
  bool truncates = false, relu = false, saturates = false;
  OpId whole = OpId::arith_constant; ///< the op that rounds to a whole number; arith_constant: none

  explicit Modes(const AsmInstr &instr) {
    for (size_t n = 0; n + 2 < instr.suffixes.size(); ++n) {
      const std::string &word = instr.suffixes[n];
      if (word == "rz")
        truncates = true;
      else if (word == "relu")
        relu = true;
      else if (word == "sat")
        saturates = true;
      else if (word == "rni")
        whole = OpId::math_roundeven;
      else if (word == "rzi")
        whole = OpId::math_trunc;
      else if (word == "rmi")
        whole = OpId::math_floor;
      else if (word == "rpi")
        whole = OpId::math_ceil;
    }
  }
};

DType integerType(unsigned bytes) {
  return bytes == 1 ? DType::I8 : bytes == 2 ? DType::I16 : bytes == 4 ? DType::I32 : DType::I64;
}

float f32(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }

/// 10 bits of fraction, ties away from zero; infinities and NaN keep what fits.
uint64_t toTf32(uint64_t bits) {
  bool finite = (bits & 0x7f800000) != 0x7f800000;
  return (cut(bits, 4) + (finite ? 0x1000 : 0)) & 0xffffe000;
}

/// Four bits: a sign and 0, 0.5, 1, 1.5, 2, 3, 4, 6; the largest for what is beyond, and for NaN.
uint64_t toE2m1(float number) {
  static constexpr float values[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
  if (std::isnan(number))
    return 7;
  float size = std::fabs(number);
  unsigned code = 0;
  for (unsigned n = 1; n < 8; ++n) {
    float middle = (values[n - 1] + values[n]) / 2;
    if (size > middle || (size == middle && n % 2 == 0))
      code = n;
  }
  return code | (std::signbit(number) ? 8 : 0);
}

/// A float as a conversion with or without `.ftz` takes it.
uint64_t operandOf(uint64_t bits, DType type, bool flush) {
  return flush && type == DType::F32 ? oneNan(flushed(bits, type, true), type) : bits;
}

std::optional<uint64_t> rounded(uint64_t bits, DType type, OpId whole) {
  return whole == OpId::arith_constant ? bits : apply(whole, type, type, {bits});
}

std::optional<uint64_t> integerOf(uint64_t bits, DType from, OpId whole, const std::string &to) {
  unsigned bytes = widthOf(to);
  if (isNan(bits, from))
    return wholeOfNan(from, bytes);
  auto number = rounded(bits, from, whole);
  OpId op = to.front() == 's' ? OpId::arith_fptosi : OpId::arith_fptoui;
  return number ? apply(op, from, integerType(bytes), {*number}) : number;
}

std::optional<uint64_t> between0And1(uint64_t bits, DType type) {
  uint64_t one = *apply(OpId::arith_sitofp, DType::I32, type, {1});
  return apply(OpId::arith_minnumf, type, type, {*apply(OpId::arith_maxnumf, type, type, {bits, 0}), one});
}

/// The element format of a packed pair of small floats.
enum class Small : uint8_t { None, E4m3, E5m2, E2m1 };
Small smallFormat(const std::string &name) {
  return name == "e4m3x2"   ? Small::E4m3
         : name == "e5m2x2" ? Small::E5m2
         : name == "e2m1x2" ? Small::E2m1
                            : Small::None;
}

std::optional<uint64_t> toSmall(uint64_t bits, Small format, bool relu) {
  float number = f32(bits);
  if (relu && number <= 0)
    bits = 0;
  if (format == Small::E2m1)
    return toE2m1(f32(bits));
  if (std::isnan(number))
    return 0x7f;
  DType type = format == Small::E4m3 ? DType::F8E4M3FN : DType::F8E5M2;
  return apply(OpId::tt_fp_to_fp, DType::F32, type, {bits}, 1);
}

std::optional<uint64_t> halfOfSmall(uint64_t bits, Small format) {
  if (format == Small::E2m1) {
    static constexpr uint64_t halves[] = {0, 0x3800, 0x3c00, 0x3e00, 0x4000, 0x4200, 0x4400, 0x4600};
    return halves[bits & 7] | (bits & 8) << 12;
  }
  DType type = format == Small::E4m3 ? DType::F8E4M3FN : DType::F8E5M2;
  return oneNan(apply(OpId::arith_extf, type, DType::F16, {bits}).value_or(0), DType::F16);
}

} // namespace

bool AsmMachine::convertSmall(const AsmInstr &instr) {
  const std::string &to = instr.suffixes[instr.suffixes.size() - 2], &from = instr.suffixes.back();
  bool relu = has(instr, "relu");
  uint64_t a = read(instr.operands[1]);
  if (Small format = smallFormat(from); format != Small::None) {
    unsigned width = format == Small::E2m1 ? 4 : 8;
    auto low = halfOfSmall(a & ((1u << width) - 1), format);
    auto high = halfOfSmall(a >> width & ((1u << width) - 1), format);
    if (!low || !high)
      return false;
    write(instr.operands[0], *high << 16 | *low, 4);
    return true;
  }
  Small format = smallFormat(to);
  uint64_t upper, lower;
  if (from == "f32") {
    upper = cut(a, 4);
    lower = cut(read(instr.operands[2]), 4);
  } else { // f16x2
    upper = *apply(OpId::arith_extf, DType::F16, DType::F32, {a >> 16 & 0xffff});
    lower = *apply(OpId::arith_extf, DType::F16, DType::F32, {a & 0xffff});
  }
  auto high = toSmall(upper, format, relu), low = toSmall(lower, format, relu);
  if (!high || !low)
    return false;
  unsigned width = format == Small::E2m1 ? 4 : 8;
  write(instr.operands[0], *high << width | *low, format == Small::E2m1 ? 1 : 2);
  return true;
}

bool AsmMachine::convert(const AsmInstr &instr) {
  const std::string &to = instr.suffixes[instr.suffixes.size() - 2], &from = instr.suffixes.back();
  Modes modes(instr);
  if (smallFormat(to) != Small::None || smallFormat(from) != Small::None)
    return convertSmall(instr);
  auto toFloat = floatType(to), fromFloat = floatType(from);
  unsigned toBytes = widthOf(to), fromBytes = widthOf(from);
  uint64_t a = read(instr.operands[1]);
  if (to == "tf32") {
    write(instr.operands[0], toTf32(a), 4);
    return true;
  }
  auto narrow = [&](uint64_t bits) -> std::optional<uint64_t> {
    auto made = modes.truncates ? apply(OpId::tt_fp_to_fp, DType::F32, *toFloat, {bits}, 0)
                                : apply(OpId::arith_truncf, DType::F32, *toFloat, {bits});
    if (made && modes.relu)
      made = apply(OpId::arith_maximumf, *toFloat, *toFloat, {*made, 0});
    return made ? std::optional(oneNan(*made, *toFloat)) : made;
  };
  if (toFloat && fromFloat && to.ends_with("x2")) {
    // Two f32 into one pair; the first source is the upper half.
    auto high = narrow(cut(a, 4)), low = narrow(cut(read(instr.operands[2]), 4));
    if (!high || !low)
      return false;
    write(instr.operands[0], *high << 16 | *low, 4);
    return true;
  }
  std::optional<uint64_t> bits;
  const bool flush = flushes(instr, DType::F32);
  if (toFloat && fromFloat) {
    bits = rounded(operandOf(cut(a, fromBytes), *fromFloat, flush), *fromFloat, modes.whole);
    if (bits && modes.relu && *fromFloat == DType::F32 && toBytes == 2)
      bits = narrow(*bits);
    else if (bits && modes.truncates && toBytes < fromBytes)
      bits = apply(OpId::tt_fp_to_fp, *fromFloat, *toFloat, {*bits}, 0);
    else if (bits && toBytes != fromBytes)
      bits =
          apply(toBytes > fromBytes ? OpId::arith_extf : OpId::arith_truncf, *fromFloat, *toFloat, {*bits});
  } else if (toFloat) {
    bits = apply(from.front() == 's' ? OpId::arith_sitofp : OpId::arith_uitofp, integerType(fromBytes),
                 *toFloat, {cut(a, fromBytes)});
  } else if (fromFloat) {
    bits = integerOf(operandOf(cut(a, fromBytes), *fromFloat, flush), *fromFloat, modes.whole, to);
    modes.saturates = false; // as it is without the word
  } else {
    bits = from.front() == 's' ? uint64_t(sign(a, fromBytes)) : cut(a, fromBytes);
  }
  if (!bits)
    return false;
  if (modes.saturates)
    bits = between0And1(*bits, *toFloat);
  if (toFloat)
    bits = flushed(*bits, *toFloat, flush && *toFloat == DType::F32);
  if (toFloat && !(fromFloat && keepsNan(instr)))
    bits = oneNan(*bits, *toFloat);
  write(instr.operands[0], *bits, toBytes);
  return true;
}

} // namespace trisect::interp
