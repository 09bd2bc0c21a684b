//===- Log32.h - f32 logarithms -------------------------------------------------------------------------===//
//
// What: natural and binary logarithm in f32 arithmetic with explicit fused multiply-adds, without branches.
// Limits: at most 1 ULP (docs/numerics.md states what was measured).
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_NUMERICS_LOG32_H
#define TRISECT_INTERP_NUMERICS_LOG32_H

#include "interp/numerics/Fma.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

/// x = 2^exponent * (1 + rest) with 1 + rest between sqrt(1/2) and sqrt(2), and log(1 + rest) = rest + tail.
struct LogParts {
  float exponent;
  float rest;
  float tail;
};

TRISECT_INLINE LogParts logParts(float x) {
  const bool subnormal = x < 0x1p-126f;
  const uint32_t bits = bitsOf(subnormal ? x * 0x1p23f : x);
  const int32_t e = static_cast<int32_t>(bits - 0x3f3504f3u) >> 23;
  const float f = floatOf(bits - (static_cast<uint32_t>(e) << 23)) - 1.0f;
  float p = 0x1.1d8ea6p-4f;
  p = fusedMultiplyAdd(p, f, -0x1.d635bcp-4f);
  p = fusedMultiplyAdd(p, f, 0x1.dea282p-4f);
  p = fusedMultiplyAdd(p, f, -0x1.fcf4c6p-4f);
  p = fusedMultiplyAdd(p, f, 0x1.23d21ap-3f);
  p = fusedMultiplyAdd(p, f, -0x1.555b4ap-3f);
  p = fusedMultiplyAdd(p, f, 0x1.999d5ap-3f);
  p = fusedMultiplyAdd(p, f, -0x1.fffffcp-3f);
  p = fusedMultiplyAdd(p, f, 0x1.555554p-2f);
  const float tail = (f * f) * fusedMultiplyAdd(f, p, -0.5f);
  return {static_cast<float>(e - (subnormal ? 23 : 0)), f, tail};
}

/// The logarithm of 0, of negative numbers, infinity and NaN.
TRISECT_INLINE float logSpecial(float x, float result) {
  const float finite = x == __builtin_inff() ? x : result;
  const float positive = x == 0.0f ? -__builtin_inff() : finite;
  return x >= 0.0f ? positive : __builtin_nanf("");
}

TRISECT_INLINE float logF32(float x) {
  const LogParts parts = logParts(x);
  // The high part of ln 2 has 16 bits: its product is exact, and so is the sum high + low.
  const float product = parts.exponent * 0x1.62e4p-1f;
  const float high = product + parts.rest;
  const float low = (product - high) + parts.rest;
  const float small = fusedMultiplyAdd(parts.exponent, 0x1.7f7d1cp-20f, parts.tail);
  return logSpecial(x, high + (low + small));
}

TRISECT_INLINE float log2F32(float x) {
  const LogParts parts = logParts(x);
  const float inverse = 0x1.715476p+0f, inverseLow = 0x1.4ae0cp-26f; // 1 / ln 2
  const float small = fusedMultiplyAdd(parts.tail, inverse, parts.rest * inverseLow);
  const float fraction = fusedMultiplyAdd(parts.rest, inverse, small);
  return logSpecial(x, parts.exponent + fraction);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_NUMERICS_LOG32_H
