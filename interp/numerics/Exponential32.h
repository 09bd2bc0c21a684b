//===- Exponential32.h - f32 functions around e^x and log x ---------------------------------------------===//
//
// What: expm1, exp10, log10, log1p, sinh, cosh and the inverse hyperbolic functions.
// Why: near 0, where the difference of two exponentials cancels, a few terms of the series replace it.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_NUMERICS_EXPONENTIAL32_H
#define TRISECT_INTERP_NUMERICS_EXPONENTIAL32_H

#include "interp/numerics/DoubleCore.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

TRISECT_INLINE float expm1F32(float value) {
  const double x = value;
  const double series = x + x * x * horner(x, 0.5, 1.0 / 6);
  const double small = value == 0.0f ? x : series; // keeps -0
  return static_cast<float>(absolute(x) < 0x1p-12 ? small : expCore(x) - 1.0);
}
TRISECT_INLINE float exp10F32(float x) { return static_cast<float>(expCore(x * 0x1.26bb1bbb55516p+1)); }
TRISECT_INLINE float log10F32(float x) { return static_cast<float>(logCore(x) * 0x1.bcb7b1526e50ep-2); }
TRISECT_INLINE float log1pF32(float value) {
  const double x = value;
  const double series = x * (1.0 - x * (0.5 - x * (1.0 / 3)));
  return static_cast<float>(absolute(x) < 0x1p-20 ? series : logCore(1.0 + x));
}

TRISECT_INLINE float sinhF32(float value) {
  const double x = value, z = x * x;
  const double e = expCore(x);
  const double series = x * horner(z, 1.0, 1.0 / 6, 1.0 / 120);
  return static_cast<float>(absolute(x) < 0x1p-6 ? series : 0.5 * (e - 1.0 / e));
}
TRISECT_INLINE float coshF32(float value) {
  const double e = expCore(value);
  return static_cast<float>(0.5 * (e + 1.0 / e));
}
TRISECT_INLINE float asinhF32(float value) {
  const double x = value, a = absolute(x), z = x * x;
  const double series = x * horner(z, 1.0, -1.0 / 6, 3.0 / 40);
  const double large = withSign(logCore(a + __builtin_sqrt(z + 1.0)), x);
  return static_cast<float>(a < 0x1p-6 ? series : large);
}
TRISECT_INLINE float acoshF32(float value) {
  const double x = value;
  const double result = logCore(x + __builtin_sqrt(x * x - 1.0));
  return static_cast<float>(x >= 1.0 ? result : __builtin_nan(""));
}
TRISECT_INLINE float atanhF32(float value) {
  const double x = value, z = x * x;
  const double series = x * horner(z, 1.0, 1.0 / 3, 1.0 / 5);
  return static_cast<float>(absolute(x) < 0x1p-6 ? series : 0.5 * logCore((1.0 + x) / (1.0 - x)));
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_NUMERICS_EXPONENTIAL32_H
