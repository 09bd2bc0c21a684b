//===- Power32.h - powers and roots ---------------------------------------------------------------------===//
//
// What: pow with the special values of C, cbrt and rcbrt, in double arithmetic; rsqrt; and the correction of
// an f64 cube root.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_NUMERICS_POWER32_H
#define TRISECT_INTERP_NUMERICS_POWER32_H

#include "interp/numerics/DoubleCore.h"
#include "interp/numerics/Fma.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

constexpr double powerScale = 0x1.71547652b82fep+1; ///< 2 / log 2

/// log2 a for a >= 0 that is an f32: the series of artanh in (m - 1) / (m + 1), m between sqrt(1/2) and
/// sqrt(2).
TRISECT_INLINE double log2OfSize(double a) {
  constexpr uint64_t root = 0x3fe6a09e667f3bcdu;
  const uint64_t distance = bitsOf(a) - root;
  const double m = doubleOf((distance & 0x000fffffffffffffu) + root);
  const auto e = static_cast<uint64_t>(static_cast<int64_t>(distance) >> 52);
  const double exponent = doubleOf(bitsOf(doubleMagic) + e) - doubleMagic;
  const double s = (m - 1.0) / (m + 1.0), z = s * s;
  double p = powerScale / 15;
  p = fusedMultiplyAdd(p, z, powerScale / 13);
  p = fusedMultiplyAdd(p, z, powerScale / 11);
  p = fusedMultiplyAdd(p, z, powerScale / 9);
  p = fusedMultiplyAdd(p, z, powerScale / 7);
  p = fusedMultiplyAdd(p, z, powerScale / 5);
  p = fusedMultiplyAdd(p, z, powerScale / 3);
  p = fusedMultiplyAdd(p, z, powerScale);
  const double result = fusedMultiplyAdd(s, p, exponent);
  return a == 0.0 ? -infinity(a) : a == infinity(a) ? a : result;
}

/// 2^t, t taken as 200 beyond and as -200 below, the series of the exponential.
TRISECT_INLINE double exp2OfDouble(double t) {
  t = t > -200.0 ? t : -200.0;
  t = t < 200.0 ? t : 200.0;
  const double sum = t + doubleMagic, r = t - (sum - doubleMagic);
  double p = 0x1.b5253d395e7c3p-24;
  p = fusedMultiplyAdd(p, r, 0x1.62c0223a5c823p-20);
  p = fusedMultiplyAdd(p, r, 0x1.ffcbfc588b0c6p-17);
  p = fusedMultiplyAdd(p, r, 0x1.430912f86c787p-13);
  p = fusedMultiplyAdd(p, r, 0x1.5d87fe78a6731p-10);
  p = fusedMultiplyAdd(p, r, 0x1.3b2ab6fba4e77p-7);
  p = fusedMultiplyAdd(p, r, 0x1.c6b08d704a0bfp-5);
  p = fusedMultiplyAdd(p, r, 0x1.ebfbdff82c58ep-3);
  p = fusedMultiplyAdd(p, r, 0x1.62e42fefa39efp-1);
  p = fusedMultiplyAdd(p, r, 0x1.0000000000000p+0);
  return doubleOf(bitsOf(p) + (bitsOf(sum) << 52));
}

/// 2^(y log2 |x|) rounded once, and the special values of C.
TRISECT_INLINE float powF32(float x, float y) {
  const float size = absolute(x);
  float result = static_cast<float>(exp2OfDouble(static_cast<double>(y) * log2OfSize(size)));
  result = size == 1.0f ? 1.0f : result;
  result = isNan(x) || isNan(y) ? x + y : result;
  const float half = y * 0.5f;
  const bool whole = __builtin_floorf(y) == y, odd = whole && __builtin_floorf(half) != half;
  result = odd ? floatOf(bitsOf(result) ^ (bitsOf(x) & 0x80000000u)) : result;
  const bool undefined = x < 0.0f && size < infinity(size) && !whole;
  result = undefined ? __builtin_nanf("") : result;
  return x == 1.0f || y == 0.0f ? 1.0f : result;
}

/// The cube root of |x|, x not 0: a guess from a third of the exponent, then two cubic iterations.
TRISECT_INLINE double cubeRoot(double a) {
  const uint32_t third = static_cast<uint32_t>(bitsOf(a) >> 32) / 3 + 715094163u;
  double t = doubleOf(static_cast<uint64_t>(third) << 32);
  double cube = t * t * t;
  t = t * (cube + 2.0 * a) / (2.0 * cube + a);
  cube = t * t * t;
  return t * (cube + 2.0 * a) / (2.0 * cube + a);
}
TRISECT_INLINE float cbrtF32(float value) {
  const double x = value, a = absolute(x);
  const bool plain = a > 0.0 && a < infinity(a);
  return static_cast<float>(plain ? withSign(cubeRoot(plain ? a : 1.0), x) : x);
}
TRISECT_INLINE float rcbrtF32(float value) {
  const double x = value, a = absolute(x);
  const bool plain = a > 0.0 && a < infinity(a);
  return static_cast<float>(plain ? withSign(1.0 / cubeRoot(plain ? a : 1.0), x) : 1.0 / x);
}

/// Two roundings, and one Newton step that takes them back.
TRISECT_INLINE float rsqrtF32(float x) {
  const float y = 1.0f / __builtin_sqrtf(x);
  const bool plain = x > 0.0f && x < __builtin_inff();
  const float root = x * y;
  const float lost = fusedMultiplyAdd(x, y, -root);
  const float residual = fusedMultiplyAdd(-root, y, 1.0f) - lost * y;
  const float refined = fusedMultiplyAdd(0.5f * y, residual, y);
  return plain ? refined : y;
}

/// One Newton step on a cube root that is off by a few units; x is not 0 and finite.
TRISECT_INLINE double refineCubeRoot(double y, double x) {
  const double square = y * y;
  const double squareError = fusedMultiplyAdd(y, y, -square);
  const double rest = fusedMultiplyAdd(-square, y, x) - squareError * y;
  return y + rest / (3.0 * square);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_NUMERICS_POWER32_H
