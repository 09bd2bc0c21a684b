//===- Integer.h - integer operations with a result for every input -------------------------------------===//
//
// What: division, remainder and shifts that never trap, on signless integers given as unsigned C++ types.
// Why: TTIR leaves x / 0, INT_MIN / -1 and shifts by the width or more undefined but they must not end the
// process; every ISA level gives the same bits: x / 0 is all ones, x % 0 is x, INT_MIN / -1 is INT_MIN, a
// long shift moves every bit out.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_NUMERICS_INTEGER_H
#define TRISECT_INTERP_NUMERICS_INTEGER_H

#include "interp/numerics/IsaNamespace.h"
#include <cstdint>
#include <type_traits>

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

/// Quotients of integers up to 32 bits go through floats with spare bits, which vectorise: the rounded
/// quotient of two integers below 2^p truncates to the right integer if the float has at least 2p + 1 bits,
/// or p + 1 bits above the quotient's.
template <class U> using QuotientFloat = std::conditional_t<(sizeof(U) < 4), float, double>;

template <class U> TRISECT_INLINE U divideUnsigned(U a, U b) {
  const U safe = b == 0 ? U(1) : b;
  if constexpr (sizeof(U) == 8)
    return b == 0 ? ~U(0) : U(a / safe);
  using Wide = std::conditional_t<(sizeof(U) < 4), int32_t, int64_t>;
  using F = QuotientFloat<U>;
  const U quotient =
      U(static_cast<Wide>(static_cast<F>(static_cast<Wide>(a)) / static_cast<F>(static_cast<Wide>(safe))));
  return b == 0 ? U(~U(0)) : quotient;
}

template <class U> TRISECT_INLINE U divideSigned(U a, U b) {
  using S = std::make_signed_t<U>;
  const bool overflow = b == U(~U(0)); // x / -1 is a plain negation, also for INT_MIN
  const U safe = b == 0 || overflow ? U(1) : b;
  U quotient;
  if constexpr (sizeof(U) == 8) {
    quotient = U(S(a) / S(safe));
  } else {
    using F = QuotientFloat<U>;
    quotient = U(S(static_cast<int32_t>(static_cast<F>(int32_t(S(a))) / static_cast<F>(int32_t(S(safe))))));
  }
  const U signedResult = overflow ? U(U(0) - a) : quotient;
  return b == 0 ? U(~U(0)) : signedResult;
}

template <class U> TRISECT_INLINE U remainderUnsigned(U a, U b) {
  const U quotient = divideUnsigned(a, b);
  return b == 0 ? a : U(uint64_t(a) - uint64_t(quotient) * uint64_t(b));
}
template <class U> TRISECT_INLINE U remainderSigned(U a, U b) {
  const U quotient = divideSigned(a, b);
  return b == 0 ? a : U(uint64_t(a) - uint64_t(quotient) * uint64_t(b));
}

template <class U> TRISECT_INLINE U shiftLeft(U a, U count, U width) {
  using Wide = std::conditional_t<(sizeof(U) < 4), uint32_t, U>;
  return count >= width ? U(0) : U(Wide(a) << (count & (sizeof(Wide) * 8 - 1)));
}
template <class U> TRISECT_INLINE U shiftRightUnsigned(U a, U count, U width) {
  using Wide = std::conditional_t<(sizeof(U) < 4), uint32_t, U>;
  return count >= width ? U(0) : U(Wide(a) >> (count & (sizeof(Wide) * 8 - 1)));
}
template <class U> TRISECT_INLINE U shiftRightSigned(U a, U count, U width) {
  using S = std::make_signed_t<U>;
  using Wide = std::conditional_t<(sizeof(U) < 4), int32_t, S>;
  const U last = width - 1;
  const U clamped = count > last ? last : count;
  return U(Wide(S(a)) >> clamped);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_NUMERICS_INTEGER_H
