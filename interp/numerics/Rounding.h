//===- Rounding.h - to an integral value, and between floats and integers -------------------------------===//
//
// What: ceil, floor, trunc, round (ties away), roundeven, and conversions float <-> integer.
// Why: a conversion out of range is undefined in TTIR but must not depend on the machine: it saturates, and
// NaN becomes 0, as on a GPU for 32 bits.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_NUMERICS_ROUNDING_H
#define TRISECT_INTERP_NUMERICS_ROUNDING_H

#include "interp/numerics/Bits.h"
#include <limits>

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

TRISECT_INLINE float roundUp(float x) { return __builtin_ceilf(x); }
TRISECT_INLINE double roundUp(double x) { return __builtin_ceil(x); }
TRISECT_INLINE float roundDown(float x) { return __builtin_floorf(x); }
TRISECT_INLINE double roundDown(double x) { return __builtin_floor(x); }
TRISECT_INLINE float roundTowardsZero(float x) { return __builtin_truncf(x); }
TRISECT_INLINE double roundTowardsZero(double x) { return __builtin_trunc(x); }
/// Rounds ties to even; the current rounding mode is always that one here.
TRISECT_INLINE float roundEven(float x) { return __builtin_rintf(x); }
TRISECT_INLINE double roundEven(double x) { return __builtin_rint(x); }

template <class T> TRISECT_INLINE T roundAway(T x) {
  const T whole = roundTowardsZero(x);
  const T rest = absolute(x - whole); // exact
  const T step = rest >= T(0.5) ? T(1) : T(0);
  return withSign(absolute(whole) + step, x);
}

/// Towards zero, saturating; NaN gives 0. `I` is signed or unsigned, at most 64 bits.
template <class I, class T> TRISECT_INLINE I toInteger(T x) {
  // Both limits are powers of two, or rounded up to one, so they are exact in T.
  constexpr T above = T(uint64_t(1) << (std::numeric_limits<I>::digits - 1)) * T(2);
  constexpr T lowest = std::numeric_limits<I>::is_signed ? -above : T(0);
  const bool inside = x > lowest && x < above;
  // 32 bits and fewer convert through a signed type that the vector units know.
  I value;
  if constexpr (sizeof(I) < 4)
    value = static_cast<I>(static_cast<int32_t>(inside ? x : T(0)));
  else if constexpr (sizeof(I) == 4 && !std::numeric_limits<I>::is_signed)
    value = static_cast<I>(static_cast<int64_t>(inside ? x : T(0)));
  else
    value = static_cast<I>(inside ? x : T(0));
  const I high = x >= above ? std::numeric_limits<I>::max() : value;
  return x <= lowest ? std::numeric_limits<I>::min() : high;
}

/// A 64-bit integer as a double whose last bit stands for everything cut off: rounding it once more to 51
/// bits or fewer gives the correctly rounded result.
TRISECT_INLINE double toDoubleSticky(uint64_t magnitude) {
  const uint64_t low = magnitude & 0xfffu;
  const uint64_t sticky = (magnitude & ~uint64_t(0xfff)) | (low != 0 ? uint64_t(0x1000) : 0);
  return static_cast<double>(magnitude >> 53 ? sticky : magnitude);
}
TRISECT_INLINE double toDoubleSticky(int64_t x) {
  const uint64_t magnitude = x < 0 ? uint64_t(0) - static_cast<uint64_t>(x) : static_cast<uint64_t>(x);
  return x < 0 ? -toDoubleSticky(magnitude) : toDoubleSticky(magnitude);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_NUMERICS_ROUNDING_H
