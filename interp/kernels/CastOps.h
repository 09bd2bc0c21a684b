//===- CastOps.h - conversions of one element -----------------------------------------------------------===//
//
// What: integer to integer, float to float in both rounding modes, integer to float and back.
// Why: each conversion rounds once, whatever it goes through: a value on its way to a 16-bit float is rounded
// to odd in f32 first.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_CASTOPS_H
#define TRISECT_INTERP_KERNELS_CASTOPS_H

#include "interp/kernels/Loops.h"
#include "interp/numerics/Rounding.h"
#include <type_traits>

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

/// Extends or truncates an integer.
template <DType R, DType A, bool Signed> struct IntegerCastOp {
  using Result = Storage<R>;
  using First = Storage<A>;
  explicit IntegerCastOp(uint64_t) {}
  TRISECT_INLINE Result operator()(First a) const {
    if constexpr (Signed)
      return narrow<R>(Compute<R>(Element<A>::asSigned(a)));
    else
      return narrow<R>(Compute<R>(widen<A>(a)));
  }
};

/// Rounds to nearest, ties to even.
template <DType R, DType A> struct FloatCastOp {
  using Result = Storage<R>;
  using First = Storage<A>;
  explicit FloatCastOp(uint64_t) {}
  TRISECT_INLINE Result operator()(First a) const { return narrow<R>(widen<A>(a)); }
};

TRISECT_INLINE float narrowToF32Rtz(double x) {
  const float nearest = static_cast<float>(x);
  const bool tooFar = absolute(static_cast<double>(nearest)) > absolute(x);
  return floatOf(bitsOf(nearest) - static_cast<uint32_t>(tooFar));
}
/// An f32 value, or an f64 value rounded to odd in f32, truncated to R.
template <DType R> TRISECT_INLINE Storage<R> narrowRtz(float x) {
  if constexpr (R == DType::F16)
    return floatToF16Rtz(x);
  else if constexpr (R == DType::BF16)
    return floatToBf16Rtz(x);
  else if constexpr (R == DType::F8E5M2)
    return floatToSmall<f8E5M2, attr::RoundingMode::TowardZero>(x);
  else if constexpr (R == DType::F8E4M3FN)
    return floatToSmall<f8E4M3FN, attr::RoundingMode::TowardZero>(x);
  else if constexpr (R == DType::F8E5M2FNUZ)
    return floatToSmall<f8E5M2FNUZ, attr::RoundingMode::TowardZero>(x);
  else if constexpr (R == DType::F8E4M3FNUZ)
    return floatToSmall<f8E4M3FNUZ, attr::RoundingMode::TowardZero>(x);
  else
    return Storage<R>(x);
}

/// Rounds towards zero.
template <DType R, DType A> struct FloatCastRtzOp {
  using Result = Storage<R>;
  using First = Storage<A>;
  explicit FloatCastRtzOp(uint64_t) {}
  TRISECT_INLINE Result operator()(First a) const {
    if constexpr (A == DType::F64 && R == DType::F32)
      return narrowToF32Rtz(a);
    else if constexpr (A == DType::F64 && R != DType::F64)
      return narrowRtz<R>(roundToOdd(a));
    else
      return narrowRtz<R>(widen<A>(a));
  }
};

/// The integer as a number from which narrow<R> rounds once: itself, an exact double, or a sticky one.
template <DType R, class I> TRISECT_INLINE auto forNarrowing(I x) {
  if constexpr (R == DType::F32 || R == DType::F64)
    return static_cast<Compute<R>>(x);
  else if constexpr (sizeof(I) <= 2)
    return static_cast<float>(static_cast<int32_t>(x));
  else if constexpr (sizeof(I) == 4)
    return static_cast<double>(x);
  else
    return toDoubleSticky(x);
}

template <DType R, DType A, bool Signed> struct IntToFloatOp {
  using Result = Storage<R>;
  using First = Storage<A>;
  explicit IntToFloatOp(uint64_t) {}
  TRISECT_INLINE Result operator()(First a) const {
    if constexpr (Signed)
      return narrow<R>(forNarrowing<R>(Element<A>::asSigned(a)));
    else
      return narrow<R>(forNarrowing<R>(widen<A>(a)));
  }
};

template <DType R, DType A, bool Signed> struct FloatToIntOp {
  using Result = Storage<R>;
  using First = Storage<A>;
  explicit FloatToIntOp(uint64_t) {}
  TRISECT_INLINE Result operator()(First a) const {
    using Int = std::conditional_t<Signed, std::make_signed_t<Compute<R>>, Compute<R>>;
    const auto x = widen<A>(a);
    if constexpr (R == DType::I1)
      return static_cast<uint8_t>(Signed ? x <= -1 : x >= 1);
    else
      return Result(toInteger<Int>(x));
  }
};

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_KERNELS_CASTOPS_H
