//===- FloatOps.h - float arithmetic on one element -----------------------------------------------------===//
//
// What: each float op of TTIR that is exact or correctly rounded, on computed values (f32 for the narrow
// types) or, where one rounding needs care, on stored elements. Limits: the sign and payload of a NaN that an
// arithmetic op makes are not fixed; moves (negate, select, min, max) keep them.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_FLOATOPS_H
#define TRISECT_INTERP_KERNELS_FLOATOPS_H

#include "core/support/Enums.h"
#include "interp/kernels/Loops.h"
#include "interp/numerics/Fma.h"
#include "interp/numerics/MinMax.h"
#include "interp/numerics/Rounding.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

struct AddF {
  template <class C> TRISECT_INLINE static C apply(C a, C b) { return a + b; }
};
struct SubF {
  template <class C> TRISECT_INLINE static C apply(C a, C b) { return a - b; }
};
struct MulF {
  template <class C> TRISECT_INLINE static C apply(C a, C b) { return a * b; }
};
struct DivF {
  template <class C> TRISECT_INLINE static C apply(C a, C b) { return a / b; }
};
struct MinimumF {
  template <class C> TRISECT_INLINE static C apply(C a, C b) { return minimum(a, b); }
};
struct MaximumF {
  template <class C> TRISECT_INLINE static C apply(C a, C b) { return maximum(a, b); }
};
struct MinNumF {
  template <class C> TRISECT_INLINE static C apply(C a, C b) { return minNum(a, b); }
};
struct MaxNumF {
  template <class C> TRISECT_INLINE static C apply(C a, C b) { return maxNum(a, b); }
};
struct SqrtF {
  TRISECT_INLINE static float apply(float a) { return __builtin_sqrtf(a); }
  TRISECT_INLINE static double apply(double a) { return __builtin_sqrt(a); }
};
struct CeilF {
  template <class C> TRISECT_INLINE static C apply(C a) { return roundUp(a); }
};
struct FloorF {
  template <class C> TRISECT_INLINE static C apply(C a) { return roundDown(a); }
};
struct TruncF {
  template <class C> TRISECT_INLINE static C apply(C a) { return roundTowardsZero(a); }
};
struct RoundF {
  template <class C> TRISECT_INLINE static C apply(C a) { return roundAway(a); }
};
struct RoundEvenF {
  template <class C> TRISECT_INLINE static C apply(C a) { return roundEven(a); }
};

/// Products and quotients of bf16 below the normal range of f32 would round twice; there both are scaled up,
/// so that the one rounding is that of an addition whose last bit is the last bit of bf16.
struct ScaledBf16 {
  static constexpr float up = 0x1p50f;
  static constexpr float magic = 0x1p-10f; // last bit 2^-33 = 2^100 * 2^-133
  TRISECT_INLINE static uint16_t choose(float plain, float scaled) {
    const uint32_t tiny = bitsOf(absolute(scaled) + magic) - bitsOf(magic);
    const uint32_t sign = (bitsOf(plain) >> 16) & 0x8000u;
    return absolute(plain) < 0x1p-126f ? static_cast<uint16_t>(sign | tiny) : floatToBf16(plain);
  }
};
struct MulBf16Op {
  using Result = uint16_t;
  using First = uint16_t;
  using Second = uint16_t;
  explicit MulBf16Op(uint64_t) {}
  TRISECT_INLINE uint16_t operator()(uint16_t a, uint16_t b) const {
    const float x = bf16ToFloat(a), y = bf16ToFloat(b);
    return ScaledBf16::choose(x * y, (x * ScaledBf16::up) * (y * ScaledBf16::up));
  }
};
struct DivBf16Op {
  using Result = uint16_t;
  using First = uint16_t;
  using Second = uint16_t;
  explicit DivBf16Op(uint64_t) {}
  TRISECT_INLINE uint16_t operator()(uint16_t a, uint16_t b) const {
    const float x = bf16ToFloat(a), y = bf16ToFloat(b);
    return ScaledBf16::choose(x / y, (x * ScaledBf16::up) / (y * (1 / ScaledBf16::up)));
  }
};

/// a * b + c with one rounding, by type.
template <DType T> struct FmaOp {
  using Result = Storage<T>;
  using First = Storage<T>;
  using Second = Storage<T>;
  using Third = Storage<T>;
  explicit FmaOp(uint64_t) {}
  TRISECT_INLINE Result operator()(First a, Second b, Third c) const {
    const Compute<T> x = widen<T>(a), y = widen<T>(b), z = widen<T>(c);
    if constexpr (T == DType::F16)
      return narrow<T>(fusedToOddF16(x, y, z));
    else if constexpr (T == DType::BF16)
      return narrow<T>(fusedToOdd(x, y, z));
    else
      return fusedMultiplyAdd(x, y, z);
  }
};

/// Operations on the sign bit alone; every other bit stays, also in a NaN.
template <DType T> struct SignBit {
  using Bits = std::conditional_t<sizeof(Storage<T>) == 8, uint64_t,
                                  std::conditional_t<sizeof(Storage<T>) == 4, uint32_t, Storage<T>>>;
  static constexpr Bits mask = static_cast<Bits>(Bits(1) << (sizeof(Bits) * 8 - 1));
};
template <DType T> struct NegFOp {
  using Result = typename SignBit<T>::Bits;
  using First = Result;
  explicit NegFOp(uint64_t) {}
  TRISECT_INLINE Result operator()(First a) const {
    // A format without negative zero has its only NaN there: both stay.
    if constexpr (T == DType::F8E5M2FNUZ || T == DType::F8E4M3FNUZ)
      return (a & 0x7f) == 0 ? a : Result(a ^ SignBit<T>::mask);
    return Result(a ^ SignBit<T>::mask);
  }
};
template <DType T> struct AbsFOp {
  using Result = typename SignBit<T>::Bits;
  using First = Result;
  explicit AbsFOp(uint64_t) {}
  TRISECT_INLINE Result operator()(First a) const {
    if constexpr (T == DType::F8E5M2FNUZ || T == DType::F8E4M3FNUZ)
      return a == 0x80 ? a : Result(a & 0x7f);
    return Result(a & ~SignBit<T>::mask);
  }
};
template <DType T> struct CopySignOp {
  using Result = typename SignBit<T>::Bits;
  using First = Result;
  using Second = Result;
  explicit CopySignOp(uint64_t) {}
  TRISECT_INLINE Result operator()(First a, Second b) const {
    return Result((a & ~SignBit<T>::mask) | (b & SignBit<T>::mask));
  }
};

/// min(max(x, low), high); the attribute, a PropagateNan, says whether the first NaN of the three stays or
/// gives way to a number.
template <DType T> struct ClampFOp {
  using Result = Storage<T>;
  using First = Storage<T>;
  using Second = Storage<T>;
  using Third = Storage<T>;
  explicit ClampFOp(uint64_t attribute)
      : keepNan(static_cast<attr::PropagateNan>(attribute) == attr::PropagateNan::All) {}
  TRISECT_INLINE Result operator()(First a, Second b, Third c) const {
    const Compute<T> x = widen<T>(a), low = widen<T>(b), high = widen<T>(c);
    const Result clamped = narrow<T>(minNum(maxNum(x, low), high));
    const Result bound = isNan(low) ? b : isNan(high) ? c : clamped;
    return !keepNan ? clamped : isNan(x) ? a : bound;
  }
  bool keepNan;
};

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_KERNELS_FLOATOPS_H
