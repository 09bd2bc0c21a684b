//===- Element.h - element types of blocks as C++ -------------------------------------------------------===//
//
// What: for each DType the type it is stored in and the type it is computed in, with the steps between:
// `widen` (exact) and `narrow` (one rounding).
// Why: kernels are templates over DType; everything that differs between types stands here.
// Limits: integers are computed as unsigned numbers; `asSigned` gives the signed value.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_NUMERICS_ELEMENT_H
#define TRISECT_INTERP_NUMERICS_ELEMENT_H

#include "core/support/DType.h"
#include "interp/numerics/Float16.h"
#include "interp/numerics/Float8.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

template <DType T> struct Element;

template <class U, class S> struct IntegerElement {
  using Storage = U;
  using Compute = U;
  static constexpr U width = sizeof(U) * 8;
  TRISECT_INLINE static U widen(U x) { return x; }
  TRISECT_INLINE static U narrow(U x) { return x; }
  TRISECT_INLINE static S asSigned(U x) { return static_cast<S>(x); }
};
template <> struct Element<DType::I8> : IntegerElement<uint8_t, int8_t> {};
template <> struct Element<DType::I16> : IntegerElement<uint16_t, int16_t> {};
template <> struct Element<DType::I32> : IntegerElement<uint32_t, int32_t> {};
template <> struct Element<DType::I64> : IntegerElement<uint64_t, int64_t> {};
template <> struct Element<DType::Ptr> : IntegerElement<uint64_t, int64_t> {};

/// A byte that is 0 or 1; as a signed number 0 or -1.
template <> struct Element<DType::I1> {
  using Storage = uint8_t;
  using Compute = uint8_t;
  static constexpr uint8_t width = 1;
  TRISECT_INLINE static uint8_t widen(uint8_t x) { return x & 1; }
  TRISECT_INLINE static uint8_t narrow(uint8_t x) { return x & 1; }
  TRISECT_INLINE static int8_t asSigned(uint8_t x) { return static_cast<int8_t>(-(x & 1)); }
};

/// A byte that holds four bits, sign-extended.
template <> struct Element<DType::I4> {
  using Storage = uint8_t;
  using Compute = uint8_t;
  static constexpr uint8_t width = 4;
  TRISECT_INLINE static uint8_t widen(uint8_t x) { return x & 15; }
  TRISECT_INLINE static uint8_t narrow(uint8_t x) { return static_cast<uint8_t>(((x & 15) ^ 8) - 8); }
  TRISECT_INLINE static int8_t asSigned(uint8_t x) { return static_cast<int8_t>(((x & 15) ^ 8) - 8); }
};

template <class F> struct FloatElement {
  using Storage = F;
  using Compute = F;
  TRISECT_INLINE static F widen(F x) { return x; }
  TRISECT_INLINE static F narrow(F x) { return x; }
};
template <> struct Element<DType::F64> : FloatElement<double> {};
template <> struct Element<DType::F32> : FloatElement<float> {
  using FloatElement<float>::narrow;
  TRISECT_INLINE static float narrow(double x) { return static_cast<float>(x); }
};

template <> struct Element<DType::F16> {
  using Storage = uint16_t;
  using Compute = float;
  TRISECT_INLINE static float widen(uint16_t x) { return f16ToFloat(x); }
  TRISECT_INLINE static uint16_t narrow(float x) { return floatToF16(x); }
  TRISECT_INLINE static uint16_t narrow(double x) { return floatToF16(roundToOdd(x)); }
};
template <> struct Element<DType::BF16> {
  using Storage = uint16_t;
  using Compute = float;
  TRISECT_INLINE static float widen(uint16_t x) { return bf16ToFloat(x); }
  TRISECT_INLINE static uint16_t narrow(float x) { return floatToBf16(x); }
  TRISECT_INLINE static uint16_t narrow(double x) { return floatToBf16(roundToOdd(x)); }
};

template <const SmallFormat &F> struct Float8Element {
  using Storage = uint8_t;
  using Compute = float;
  TRISECT_INLINE static float widen(uint8_t x) { return smallToFloat<F>(x); }
  TRISECT_INLINE static uint8_t narrow(float x) {
    return floatToSmall<F, attr::RoundingMode::NearestEven>(x);
  }
  TRISECT_INLINE static uint8_t narrow(double x) { return narrow(roundToOdd(x)); }
};
template <> struct Element<DType::F8E5M2> : Float8Element<f8E5M2> {};
template <> struct Element<DType::F8E4M3FN> : Float8Element<f8E4M3FN> {};
template <> struct Element<DType::F8E5M2FNUZ> : Float8Element<f8E5M2FNUZ> {};
template <> struct Element<DType::F8E4M3FNUZ> : Float8Element<f8E4M3FNUZ> {};

template <DType T> using Storage = typename Element<T>::Storage;
template <DType T> using Compute = typename Element<T>::Compute;
template <DType T> TRISECT_INLINE Compute<T> widen(Storage<T> x) { return Element<T>::widen(x); }
template <DType T, class C> TRISECT_INLINE Storage<T> narrow(C x) { return Element<T>::narrow(x); }

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_NUMERICS_ELEMENT_H
