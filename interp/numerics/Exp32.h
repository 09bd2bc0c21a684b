//===- Exp32.h - f32 exponentials -----------------------------------------------------------------------===//
//
// What: e^x and 2^x in f32 arithmetic with explicit fused multiply-adds, without branches.
// Why: they are the inner loop of softmax and must vectorise, with the same bits on every ISA level.
// Limits: docs/numerics.md fixes the steps, which compiled code takes too, and states what was measured.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_NUMERICS_EXP32_H
#define TRISECT_INTERP_NUMERICS_EXP32_H

#include "interp/numerics/Fma.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

/// Adding this leaves the nearest integer in the low bits of the sum.
constexpr float integerMagic = 0x1.8p23f;

/// c0 + x * (c1 + x * (c2 + ...)), each step rounded once.
TRISECT_INLINE float fusedHorner(float, float c) { return c; }
template <class... Rest> TRISECT_INLINE float fusedHorner(float x, float c, Rest... rest) {
  return fusedMultiplyAdd(fusedHorner(x, rest...), x, c);
}

/// y * 2^n for n = sum - integerMagic, in two steps, so that only a subnormal or infinite result rounds.
TRISECT_INLINE float scaleByPowerOfTwo(float y, float sum) {
  const int32_t n = static_cast<int32_t>(bitsOf(sum) - bitsOf(integerMagic)), half = n >> 1;
  const float first = floatOf(static_cast<uint32_t>(half + 127) << 23);
  const float second = floatOf(static_cast<uint32_t>(n - half + 127) << 23);
  return y * first * second;
}

/// An operand from which the steps give zero below `low` and infinity above `high`; NaN passes.
TRISECT_INLINE float boundedExponent(float x, float low, float high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}

TRISECT_INLINE float expF32(float x) {
  const float bounded = boundedExponent(x, -104.0f, 100.0f);
  const float sum = fusedMultiplyAdd(bounded, 0x1.715476p+0f, integerMagic);
  const float n = sum - integerMagic;
  float r = fusedMultiplyAdd(n, -0x1.63p-1f, bounded); // the product is exact
  r = fusedMultiplyAdd(n, 0x1.bd0106p-13f, r);
  const float y = fusedHorner(r, 1.0f, 1.0f, 0x1.fffffcp-2f, 0x1.555492p-3f, 0x1.5558f2p-5f, 0x1.123a2p-7f,
                              0x1.6a23cep-10f);
  return x < -104.0f ? 0.0f : scaleByPowerOfTwo(y, sum);
}

TRISECT_INLINE float exp2F32(float x) {
  const float bounded = boundedExponent(x, -150.0f, 140.0f);
  const float sum = bounded + integerMagic;
  const float r = bounded - (sum - integerMagic);
  // The n-th power of log 2 over n!.
  const float y = fusedHorner(r, 1.0f, 0x1.62e43p-1f, 0x1.ebfbep-3f, 0x1.c6b08ep-5f, 0x1.3b2ab6p-7f,
                              0x1.5d87fep-10f, 0x1.430912p-13f, 0x1.ffcbfcp-17f);
  return x < -150.0f ? 0.0f : scaleByPowerOfTwo(y, sum);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_NUMERICS_EXP32_H
