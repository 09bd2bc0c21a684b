//===- DoubleCore.h - e^x and log x in plain double arithmetic ------------------------------------------===//
//
// What: the two functions from which most f32 functions are built: evaluated in double they are right to
// about 2^-49, so that the one rounding to f32 is nearly always the correct one. Why: products and sums only,
// without fused operations: they vectorise on every ISA level and give the same bits. Limits: not for f64
// results. Arguments are those that f32 functions need.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_NUMERICS_DOUBLECORE_H
#define TRISECT_INTERP_NUMERICS_DOUBLECORE_H

#include "interp/numerics/Bits.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

/// c0 + x * (c1 + x * (c2 + ...))
TRISECT_INLINE double horner(double, double c) { return c; }
template <class... Rest> TRISECT_INLINE double horner(double x, double c, Rest... rest) {
  return c + x * horner(x, rest...);
}

/// Adding this leaves the nearest integer in the low bits of the sum.
constexpr double doubleMagic = 0x1.8p52;

/// e^x; NaN stays NaN, |x| above 700 is taken as 700.
TRISECT_INLINE double expCore(double x) {
  x = x > 700.0 ? 700.0 : x;
  x = x < -700.0 ? -700.0 : x;
  const double sum = x * 0x1.71547652b82fep+0 + doubleMagic;
  const double n = sum - doubleMagic;
  const double r = (x - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;
  const double p =
      horner(r, 0.5, 0x1.5555555553b48p-3, 0x1.5555555554ca7p-5, 0x1.1111111c5719ap-7, 0x1.6c16c1739a511p-10,
             0x1.a019ad55d1aa7p-13, 0x1.a019c971b4d98p-16, 0x1.72c79824255ep-19, 0x1.288088c0e67a5p-22);
  const double power = doubleOf((bitsOf(sum) + 1023) << 52);
  return (1.0 + (r + r * r * p)) * power;
}

/// log x for 0 <= x: 0 gives -infinity, infinity itself; NaN and negative numbers give NaN.
TRISECT_INLINE double logCore(double x) {
  const uint64_t bits = bitsOf(x);
  const int64_t e = static_cast<int64_t>(bits - 0x3fe6a09e667f3bcdu) >> 52;
  const double m = doubleOf(bits - (static_cast<uint64_t>(e) << 52));
  const double exponent = doubleOf(bitsOf(doubleMagic) + static_cast<uint64_t>(e)) - doubleMagic;
  const double f = m - 1.0;
  const double s = f / (2.0 + f);
  const double z = s * s;
  const double p =
      horner(z, 0x1.5555555555558p-1, 0x1.9999999995273p-2, 0x1.2492492dfd86cp-2, 0x1.c71c62d5e53ep-3,
             0x1.7462b91b8df65p-3, 0x1.39fdcceb4bb45p-3, 0x1.2b5f68a50d903p-3);
  // 2 s = f - s f, which keeps f exact.
  const double fraction = f - s * (f - z * p);
  const double result = exponent * 0x1.62e42feep-1 + (fraction + exponent * 0x1.a39ef35793c76p-33);
  const double finite = x == infinity(x) ? x : result;
  const double positive = x == 0.0 ? -infinity(x) : finite;
  return x >= 0.0 ? positive : __builtin_nan("");
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_NUMERICS_DOUBLECORE_H
