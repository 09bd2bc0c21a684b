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

TRISECT_INLINE float powF32(float x, float y) {
  const double a = absolute(static_cast<double>(x)), exponent = y;
  const double computed = expCore(exponent * logCore(a));
  // 1^y and x^0 are 1 even for NaN; (-1)^infinity is 1.
  const bool one = y == 0.0f || x == 1.0f || (a == 1.0 && !isNan(y));
  const double magnitude = one ? 1.0 : computed;
  const float half = y * 0.5f;
  const bool whole = __builtin_truncf(y) == y;
  const bool odd = whole && __builtin_truncf(half) != half;
  const bool negative = (bitsOf(x) >> 31) != 0;
  const bool undefined = x < 0.0f && !whole && a != infinity(a) && !isNan(y);
  const double result = negative && odd ? -magnitude : magnitude;
  return static_cast<float>(undefined ? __builtin_nan("") : result);
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
