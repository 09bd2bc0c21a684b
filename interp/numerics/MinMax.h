//===- MinMax.h - the two families of float minimum and maximum -----------------------------------------===//
//
// What: minimum/maximum (NaN wins) and minnum/maxnum (NaN loses), with -0 below +0 in both.
// Why: machine instructions return an operand by position when signs of zero differ or one is NaN; results
// must not depend on that.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_NUMERICS_MINMAX_H
#define TRISECT_INTERP_NUMERICS_MINMAX_H

#include "interp/numerics/Bits.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

/// The larger of two numbers. Equal operands differ at most in the sign of zero, which `and` resolves to +0.
template <class T> TRISECT_INLINE T largerNumber(T a, T b) {
  const auto both = bitsOf(a) & bitsOf(b);
  const T larger = a > b ? a : b;
  return a == b ? __builtin_bit_cast(T, both) : larger;
}
template <class T> TRISECT_INLINE T smallerNumber(T a, T b) {
  const auto either = bitsOf(a) | bitsOf(b);
  const T smaller = a < b ? a : b;
  return a == b ? __builtin_bit_cast(T, either) : smaller;
}

template <class T> TRISECT_INLINE T maxNum(T a, T b) {
  const T numbers = largerNumber(a, b); // with a NaN it is b
  return isNan(b) ? a : numbers;
}
template <class T> TRISECT_INLINE T minNum(T a, T b) {
  const T numbers = smallerNumber(a, b);
  return isNan(b) ? a : numbers;
}
template <class T> TRISECT_INLINE T maximum(T a, T b) {
  const T numbers = largerNumber(a, b);
  return isNan(a) ? a : numbers;
}
template <class T> TRISECT_INLINE T minimum(T a, T b) {
  const T numbers = smallerNumber(a, b);
  return isNan(a) ? a : numbers;
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_NUMERICS_MINMAX_H
