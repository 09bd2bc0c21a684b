//===- Bits.h - bit patterns of floats, and rounding to odd ---------------------------------------------===//
//
// What: casts between floats and their bits, predicates on them, and double to float rounded to odd.
// Why: a value that is first rounded to odd with at least two spare bits can be rounded to a narrower format
// afterwards as if in one step; all conversions and fused operations of 8 and 16-bit types rest on that.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_NUMERICS_BITS_H
#define TRISECT_INTERP_NUMERICS_BITS_H

#include "interp/numerics/IsaNamespace.h"
#include <cstdint>

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

TRISECT_INLINE uint32_t bitsOf(float x) { return __builtin_bit_cast(uint32_t, x); }
TRISECT_INLINE uint64_t bitsOf(double x) { return __builtin_bit_cast(uint64_t, x); }
TRISECT_INLINE float floatOf(uint32_t bits) { return __builtin_bit_cast(float, bits); }
TRISECT_INLINE double doubleOf(uint64_t bits) { return __builtin_bit_cast(double, bits); }

TRISECT_INLINE bool isNan(float x) { return x != x; }
TRISECT_INLINE bool isNan(double x) { return x != x; }
TRISECT_INLINE float absolute(float x) { return floatOf(bitsOf(x) & 0x7fffffffu); }
TRISECT_INLINE double absolute(double x) { return doubleOf(bitsOf(x) & 0x7fffffffffffffffu); }
TRISECT_INLINE float withSign(float magnitude, float sign) {
  return floatOf((bitsOf(magnitude) & 0x7fffffffu) | (bitsOf(sign) & 0x80000000u));
}
TRISECT_INLINE double withSign(double magnitude, double sign) {
  return doubleOf((bitsOf(magnitude) & 0x7fffffffffffffffu) | (bitsOf(sign) & 0x8000000000000000u));
}
TRISECT_INLINE float infinity(float) { return __builtin_inff(); }
TRISECT_INLINE double infinity(double) { return __builtin_inf(); }

/// x rounded to odd: if x is no float, the neighbour whose last bit is set. NaN stays NaN.
TRISECT_INLINE float roundToOdd(double x) {
  const float nearest = static_cast<float>(x);
  const double back = nearest;
  const bool inexact = back < x || back > x;
  const bool tooFar = absolute(back) > absolute(x);
  const uint32_t truncated = bitsOf(nearest) - static_cast<uint32_t>(tooFar);
  return floatOf(truncated | static_cast<uint32_t>(inexact));
}

/// a + b rounded to odd. The error of a float sum is itself a float (barring overflow), which tells on which
/// side of the rounded sum the exact one lies.
template <class T, class Bits> TRISECT_INLINE T addToOddImpl(T a, T b) {
  const T sum = a + b;
  const T part = sum - a;
  const T error = (a - (sum - part)) + (b - part);
  const bool inexact = error < 0 || error > 0;
  const Bits bits = bitsOf(sum);
  const bool even = (bits & 1) == 0;
  const bool away = (error > 0) == (sum > 0);
  const Bits moved = away ? bits + 1 : bits - 1;
  const Bits odd = (inexact && even) ? moved : bits;
  return __builtin_bit_cast(T, odd);
}
TRISECT_INLINE float addToOdd(float a, float b) { return addToOddImpl<float, uint32_t>(a, b); }
TRISECT_INLINE double addToOdd(double a, double b) { return addToOddImpl<double, uint64_t>(a, b); }

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_NUMERICS_BITS_H
