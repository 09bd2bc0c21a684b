//===- Exp32.h - f32 exponentials -----------------------------------------------------------------------===//
//
// What: e^x and 2^x in f32 arithmetic with explicit fused multiply-adds, without branches.
// Why: they are the inner loop of softmax and must vectorise, with the same bits on every ISA level.
// Limits: at most 1 ULP (docs/numerics.md states what was measured).
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_NUMERICS_EXP32_H
#define TRISECT_INTERP_NUMERICS_EXP32_H

#include "interp/numerics/Fma.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

/// y * 2^k in two steps, so that only a subnormal or infinite result rounds.
TRISECT_INLINE float scaleByPowerOfTwo(float y, int32_t k) {
  const int32_t half = k >> 1;
  const float first = floatOf(static_cast<uint32_t>(half + 127) << 23);
  const float second = floatOf(static_cast<uint32_t>(k - half + 127) << 23);
  return y * first * second;
}

/// Adding this leaves the nearest integer in the low bits of the sum.
constexpr float integerMagic = 0x1.8p23f;
TRISECT_INLINE int32_t integerOfMagic(float sum) {
  return static_cast<int32_t>(bitsOf(sum) - bitsOf(integerMagic));
}

TRISECT_INLINE float expF32(float x) {
  // Outside these limits the result is 0 or infinite; NaN passes both tests.
  x = x > 89.0f ? 89.0f : x;
  x = x < -104.0f ? -104.0f : x;
  const float sum = fusedMultiplyAdd(x, 0x1.715476p+0f, integerMagic);
  const float n = sum - integerMagic;
  float r = fusedMultiplyAdd(n, -0x1.62e43p-1f, x);
  r = fusedMultiplyAdd(n, 0x1.05c61p-29f, r);
  // e^r = 1 + r (1 + r p(r)), |r| <= ln 2 / 2
  float p = 0x1.6d117cp-10f;
  p = fusedMultiplyAdd(p, r, 0x1.120be2p-7f);
  p = fusedMultiplyAdd(p, r, 0x1.555518p-5f);
  p = fusedMultiplyAdd(p, r, 0x1.5554dcp-3f);
  p = fusedMultiplyAdd(p, r, 0.5f);
  p = fusedMultiplyAdd(p, r, 1.0f);
  const float y = fusedMultiplyAdd(p, r, 1.0f);
  return scaleByPowerOfTwo(y, integerOfMagic(sum));
}

TRISECT_INLINE float exp2F32(float x) {
  x = x > 129.0f ? 129.0f : x;
  x = x < -151.0f ? -151.0f : x;
  const float sum = x + integerMagic;
  const float r = x - (sum - integerMagic);
  // 2^r = 1 + r p(r), |r| <= 1/2
  float p = 0x1.44138ap-13f;
  p = fusedMultiplyAdd(p, r, 0x1.5f089p-10f);
  p = fusedMultiplyAdd(p, r, 0x1.3b2a54p-7f);
  p = fusedMultiplyAdd(p, r, 0x1.c6af6cp-5f);
  p = fusedMultiplyAdd(p, r, 0x1.ebfbep-3f);
  p = fusedMultiplyAdd(p, r, 0x1.62e43p-1f);
  const float y = fusedMultiplyAdd(p, r, 1.0f);
  return scaleByPowerOfTwo(y, integerOfMagic(sum));
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_NUMERICS_EXP32_H
