//===- Trig32.h - f32 trigonometric functions -----------------------------------------------------------===//
//
// What: sin, cos, tan and their half-turn forms in double arithmetic, and the inverse functions.
// Limits: sin and cos reduce arguments below 2^30 here, tan below 2^20 (`hardForCircle`, `hardForTangent`);
// for others the kernels call the C library, for those lanes alone.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_NUMERICS_TRIG32_H
#define TRISECT_INTERP_NUMERICS_TRIG32_H

#include "interp/numerics/DoubleCore.h"
#include "interp/numerics/Fma.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

/// Sine and cosine of an angle in [-pi/4, pi/4], and in which quarter turn the whole argument lies.
struct TrigParts {
  double sine;
  double cosine;
  uint64_t quarter;
};

TRISECT_INLINE TrigParts trigOfReduced(double r, uint64_t quarter) {
  const double z = r * r;
  const double sine = r + r * z *
                              horner(z, -0x1.5555555555161p-3, 0x1.1111110fd1496p-7, -0x1.a019fd95094bep-13,
                                     0x1.71d9a549ac8fbp-19, -0x1.aa262ee715bp-26);
  const double cosine =
      (1.0 - 0.5 * z) + z * z *
                            horner(z, 0x1.5555555555434p-5, -0x1.6c16c16b5fdb7p-10, 0x1.a019ff501e5c1p-16,
                                   -0x1.27e25ca05d2bep-22, 0x1.1c808728603bbp-29);
  return {sine, cosine, quarter};
}

TRISECT_INLINE bool hardForTangent(float x) { return !(absolute(x) < 0x1p20f); }
TRISECT_INLINE bool hardForCircle(float x) { return !(absolute(x) < 0x1p30f); }

/// For |x| < 2^20: the high part of pi/2 has 33 bits, so its multiple is exact.
TRISECT_INLINE TrigParts trigParts(double x) {
  const double sum = x * 0x1.45f306dc9c883p-1 + doubleMagic;
  const double n = sum - doubleMagic;
  return trigOfReduced((x - n * 0x1.921fb544p+0) - n * 0x1.0b4611a626331p-34, bitsOf(sum));
}
/// Of pi * x, for any x: the multiple of 1/2 is exact.
TRISECT_INLINE TrigParts trigPartsPi(double x) {
  // Beyond 2^24 every f32 is an even integer.
  const double bounded = absolute(x) > 0x1p24 ? x - x : x;
  const double sum = bounded * 2.0 + doubleMagic;
  const double n = sum - doubleMagic;
  return trigOfReduced((bounded - n * 0.5) * 0x1.921fb54442d18p+1, bitsOf(sum));
}

TRISECT_INLINE double sineOf(const TrigParts &parts) {
  const double magnitude = (parts.quarter & 1) ? parts.cosine : parts.sine;
  return doubleOf(bitsOf(magnitude) ^ ((parts.quarter & 2) << 62));
}
TRISECT_INLINE double cosineOf(const TrigParts &parts) {
  const double magnitude = (parts.quarter & 1) ? parts.sine : parts.cosine;
  return doubleOf(bitsOf(magnitude) ^ (((parts.quarter + 1) & 2) << 62));
}

/// sin r for r = x - turns pi, or its negative where `sign` has its highest bit.
TRISECT_INLINE float sineOfHalfTurns(double x, double turns, uint64_t sign) {
  double r = fusedMultiplyAdd(turns, -0x1.921fb54442d18p+1, x);
  r = fusedMultiplyAdd(turns, -0x1.1a62633145c07p-53, r);
  r = doubleOf(bitsOf(r) ^ (sign & (uint64_t(1) << 63)));
  const double z = r * r;
  double p = 0x1.52dbee2d3069bp-33;
  p = fusedMultiplyAdd(p, z, -0x1.ae03f859c7bfep-26);
  p = fusedMultiplyAdd(p, z, 0x1.71dcf84c5362cp-19);
  p = fusedMultiplyAdd(p, z, -0x1.a019fd5952f3ap-13);
  p = fusedMultiplyAdd(p, z, 0x1.1111110a5597ap-7);
  p = fusedMultiplyAdd(p, z, -0x1.5555555547141p-3);
  return static_cast<float>(r * fusedMultiplyAdd(p, z, 1.0)); // a product last keeps the sign of zero
}

TRISECT_INLINE float sinF32(float x) {
  const double sum = fusedMultiplyAdd(static_cast<double>(x), 0x1.45f306dc9c883p-2, doubleMagic);
  return sineOfHalfTurns(x, sum - doubleMagic, bitsOf(sum) << 63);
}
/// m + 1/2 for m the next integer below x / pi: a number of the size of `magic` has its units in bit 20, and
/// an odd one the parity of m + 1 there.
TRISECT_INLINE float cosF32(float x) {
  constexpr double magic = 0x1.8p32 + 1;
  constexpr unsigned unit = 20;
  const uint64_t sum = bitsOf(fusedMultiplyAdd(static_cast<double>(x), 0x1.45f306dc9c883p-2, magic));
  const uint64_t half = (sum & ~((uint64_t(1) << unit) - 1)) | uint64_t(1) << (unit - 1);
  return sineOfHalfTurns(x, doubleOf(half) - magic, sum << (63 - unit));
}
TRISECT_INLINE float tanF32(float x) {
  const TrigParts parts = trigParts(x);
  return x == 0.0f ? x : static_cast<float>(sineOf(parts) / cosineOf(parts));
}
TRISECT_INLINE float sinpiF32(float x) { return x == 0.0f ? x : static_cast<float>(sineOf(trigPartsPi(x))); }
TRISECT_INLINE float cospiF32(float x) { return static_cast<float>(cosineOf(trigPartsPi(x))); }

/// The angle of (x, y), for f32 values.
TRISECT_INLINE double angleOf(double y, double x) {
  double a = absolute(x), b = absolute(y);
  const bool bothInfinite = a == infinity(a) && b == infinity(b);
  a = bothInfinite ? 1.0 : a;
  b = bothInfinite ? 1.0 : b;
  const double high = a > b ? a : b, low = a > b ? b : a;
  // atan q = pi/4 + atan((q - 1) / (q + 1)) keeps the polynomial's argument below sqrt(2) - 1.
  const bool upper = low > 0x1.a827999fcef32p-2 * high;
  const double numerator = upper ? low - high : low;
  const double denominator = upper ? low + high : high;
  const double t = numerator / (denominator == 0.0 ? 1.0 : denominator);
  const double z = t * t;
  const double p = horner(z, -0x1.55555555553ap-2, 0x1.99999998cfffbp-3, -0x1.249248a9b2c38p-3,
                          0x1.c71c37dafcfebp-4, -0x1.74563649b174bp-4, 0x1.3a9d31071e532p-4,
                          -0x1.0c503f956605p-4, 0x1.a757649dd4de5p-5, -0x1.bde7eaba10384p-6);
  const double octant = (upper ? 0x1.921fb54442d18p-1 : 0.0) + (t + t * z * p);
  const double quadrant = b > a ? 0x1.921fb54442d18p+0 - octant : octant;
  const double half = (bitsOf(x) >> 63) ? 0x1.921fb54442d18p+1 - quadrant : quadrant;
  return withSign(isNan(x) || isNan(y) ? __builtin_nan("") : half, y);
}
TRISECT_INLINE float atan2F32(float y, float x) { return static_cast<float>(angleOf(y, x)); }
TRISECT_INLINE float atanF32(float x) { return static_cast<float>(angleOf(x, 1.0)); }

/// asin s for 0 <= s <= 1/2.
TRISECT_INLINE double smallArcsine(double s) {
  const double z = s * s;
  return s + s * z *
                 horner(z, 0x1.55555555555bcp-3, 0x1.3333333302d42p-4, 0x1.6db6dba9ded46p-5,
                        0x1.f1c6ff632bc58p-6, 0x1.6e8f37bce829dp-6, 0x1.1c0d42d9a72edp-6,
                        0x1.cf629dd6ae5fdp-7, 0x1.5114f44b779p-7, 0x1.fa6d9d973284ep-7, -0x1.c05fb18feb0f9p-8,
                        0x1.c8ea18fd14be4p-6);
}
TRISECT_INLINE float asinF32(float value) {
  const double x = value, a = absolute(x);
  const bool steep = a > 0.5;
  const double small = smallArcsine(steep ? __builtin_sqrt((1.0 - a) * 0.5) : a);
  return static_cast<float>(withSign(steep ? 0x1.921fb54442d18p+0 - 2.0 * small : small, x));
}
TRISECT_INLINE float acosF32(float value) {
  const double x = value, a = absolute(x);
  const bool steep = a > 0.5;
  const double small = smallArcsine(steep ? __builtin_sqrt((1.0 - a) * 0.5) : a);
  const double middle = 0x1.921fb54442d18p+0 - withSign(small, x);
  const double outer = x > 0 ? 2.0 * small : 0x1.921fb54442d18p+1 - 2.0 * small;
  return static_cast<float>(steep ? outer : middle);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_NUMERICS_TRIG32_H
