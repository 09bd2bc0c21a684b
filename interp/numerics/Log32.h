//===- Log32.h - f32 logarithms -------------------------------------------------------------------------===//
//
// What: natural and binary logarithm in f32 arithmetic with explicit fused multiply-adds, without branches.
// Limits: docs/numerics.md fixes the steps, which compiled code takes too, and states what was measured.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_NUMERICS_LOG32_H
#define TRISECT_INTERP_NUMERICS_LOG32_H

#include "interp/numerics/Exp32.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

/// x = 2^exponent * (1 + rest) with 1 + rest between sqrt(1/2) and sqrt(2); log(1 + rest) is
/// rest - (half - tail), from the series of artanh in rest / (2 + rest).
struct LogParts {
  float exponent;
  float rest;
  float half;
  float tail;
};

TRISECT_INLINE LogParts logParts(float x) {
  const bool subnormal = x < 0x1p-126f;
  // The distance from sqrt(1/2): its upper bits are the exponent, its lower ones the place of 1 + rest.
  constexpr uint32_t root = 0x3f3504f3u;
  const uint32_t distance = bitsOf(subnormal ? x * 0x1p25f : x) - root;
  const int32_t e = (static_cast<int32_t>(distance) >> 23) - (subnormal ? 25 : 0);
  const float f = floatOf((distance & 0x007fffffu) + root) - 1.0f;
  const float s = f / (2.0f + f);
  const float z = s * s;
  const float p =
      fusedHorner(z, 0x1.555556p-1f, 0x1.99999ap-2f, 0x1.24924ap-2f, 0x1.c71c72p-3f, 0x1.745d18p-3f);
  const float half = (0.5f * f) * f;
  return {static_cast<float>(e), f, half, s * fusedMultiplyAdd(z, p, half)};
}

/// The logarithm of 0, of negative numbers, infinity and NaN.
TRISECT_INLINE float logSpecial(float x, float result) {
  const float finite = x == __builtin_inff() ? x : result;
  const float positive = x == 0.0f ? -__builtin_inff() : finite;
  return x >= 0.0f ? positive : __builtin_nanf("");
}

TRISECT_INLINE float logF32(float x) {
  const LogParts parts = logParts(x);
  // log 2 in two parts; multiples of the first are exact.
  const float low = fusedMultiplyAdd(parts.exponent, -0x1.bd0106p-13f, parts.tail);
  const float sum = parts.rest - (parts.half - low);
  return logSpecial(x, fusedMultiplyAdd(parts.exponent, 0x1.63p-1f, sum));
}

TRISECT_INLINE float log2F32(float x) {
  const LogParts parts = logParts(x);
  // The logarithm of 1 + rest is high + low with 12 bits in high: its product with the leading part of
  // 1 / log 2 is exact.
  const float high = floatOf(bitsOf(parts.rest - parts.half) & 0xfffff000u);
  const float low = ((parts.rest - high) - parts.half) + parts.tail;
  const float leading = 0x1.716p+0f, second = -0x1.7135a8p-13f;
  const float small = fusedMultiplyAdd(low, leading, (low + high) * second);
  const float sum = fusedMultiplyAdd(high, leading, parts.exponent);
  const float lost = fusedMultiplyAdd(high, leading, parts.exponent - sum);
  return logSpecial(x, sum + (lost + small));
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_NUMERICS_LOG32_H
