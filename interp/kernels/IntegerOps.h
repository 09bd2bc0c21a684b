//===- IntegerOps.h - integer operations on one element -------------------------------------------------===//
//
// What: for each integer op of TTIR its meaning on one element of type T.
// Limits: signless: signed operations sign-extend first, results wrap.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_INTEGEROPS_H
#define TRISECT_INTERP_KERNELS_INTEGEROPS_H

#include "interp/kernels/Loops.h"
#include "interp/numerics/Integer.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

/// An operation on two integers of type T, given zero-extended.
template <DType T, class F> struct UnsignedOp {
  using Result = Storage<T>;
  using First = Storage<T>;
  using Second = Storage<T>;
  explicit UnsignedOp(uint64_t) {}
  TRISECT_INLINE Result operator()(First a, Second b) const {
    return narrow<T>(Compute<T>(F::apply(widen<T>(a), widen<T>(b), Compute<T>(Element<T>::width))));
  }
};
/// The same with sign-extended operands.
template <DType T, class F> struct SignedOp {
  using Result = Storage<T>;
  using First = Storage<T>;
  using Second = Storage<T>;
  explicit SignedOp(uint64_t) {}
  TRISECT_INLINE static Compute<T> extend(Storage<T> x) { return Compute<T>(Element<T>::asSigned(x)); }
  TRISECT_INLINE Result operator()(First a, Second b) const {
    return narrow<T>(Compute<T>(F::apply(extend(a), extend(b), Compute<T>(Element<T>::width))));
  }
};

struct AddI {
  template <class U> TRISECT_INLINE static U apply(U a, U b, U) { return U(a + b); }
};
struct SubI {
  template <class U> TRISECT_INLINE static U apply(U a, U b, U) { return U(a - b); }
};
struct MulI {
  template <class U> TRISECT_INLINE static U apply(U a, U b, U) {
    using Wide = std::conditional_t<(sizeof(U) < 4), uint32_t, U>;
    return U(Wide(a) * Wide(b));
  }
};
struct AndI {
  template <class U> TRISECT_INLINE static U apply(U a, U b, U) { return U(a & b); }
};
struct OrI {
  template <class U> TRISECT_INLINE static U apply(U a, U b, U) { return U(a | b); }
};
struct XorI {
  template <class U> TRISECT_INLINE static U apply(U a, U b, U) { return U(a ^ b); }
};
struct DivU {
  template <class U> TRISECT_INLINE static U apply(U a, U b, U) { return divideUnsigned(a, b); }
};
struct DivS {
  template <class U> TRISECT_INLINE static U apply(U a, U b, U) { return divideSigned(a, b); }
};
struct RemU {
  template <class U> TRISECT_INLINE static U apply(U a, U b, U) { return remainderUnsigned(a, b); }
};
struct RemS {
  template <class U> TRISECT_INLINE static U apply(U a, U b, U) { return remainderSigned(a, b); }
};
/// Rounded down or up: the truncated quotient, moved by one if there is a rest on that side.
struct FloorDivS {
  template <class U> TRISECT_INLINE static U apply(U a, U b, U) {
    using S = std::make_signed_t<U>;
    const U quotient = divideSigned(a, b);
    const U rest = remainderSigned(a, b);
    const bool down = rest != 0 && b != 0 && (S(rest) < 0) != (S(b) < 0);
    return U(quotient - U(down));
  }
};
struct CeilDivS {
  template <class U> TRISECT_INLINE static U apply(U a, U b, U) {
    using S = std::make_signed_t<U>;
    const U quotient = divideSigned(a, b);
    const U rest = remainderSigned(a, b);
    const bool up = rest != 0 && b != 0 && (S(rest) < 0) == (S(b) < 0);
    return U(quotient + U(up));
  }
};
struct ShlI {
  template <class U> TRISECT_INLINE static U apply(U a, U b, U width) { return shiftLeft(a, b, width); }
};
struct ShrU {
  template <class U> TRISECT_INLINE static U apply(U a, U b, U width) {
    return shiftRightUnsigned(a, b, width);
  }
};
struct MinU {
  template <class U> TRISECT_INLINE static U apply(U a, U b, U) { return a < b ? a : b; }
};
struct MaxU {
  template <class U> TRISECT_INLINE static U apply(U a, U b, U) { return a > b ? a : b; }
};
struct MinS {
  template <class U> TRISECT_INLINE static U apply(U a, U b, U) {
    using S = std::make_signed_t<U>;
    return S(a) < S(b) ? a : b;
  }
};
struct MaxS {
  template <class U> TRISECT_INLINE static U apply(U a, U b, U) {
    using S = std::make_signed_t<U>;
    return S(a) > S(b) ? a : b;
  }
};
/// The upper half of the product.
struct MulHiU {
  template <class U> TRISECT_INLINE static U apply(U a, U b, U width) {
    if constexpr (sizeof(U) == 8)
      return U((static_cast<unsigned __int128>(a) * b) >> 64);
    else
      return U((uint64_t(a) * uint64_t(b)) >> width);
  }
};

/// The count is unsigned whatever the shifted value is.
template <DType T> struct ShrSOp {
  using Result = Storage<T>;
  using First = Storage<T>;
  using Second = Storage<T>;
  explicit ShrSOp(uint64_t) {}
  TRISECT_INLINE Result operator()(First a, Second b) const {
    return narrow<T>(
        shiftRightSigned(Compute<T>(Element<T>::asSigned(a)), widen<T>(b), Compute<T>(Element<T>::width)));
  }
};

template <DType T> struct AbsIOp {
  using Result = Storage<T>;
  using First = Storage<T>;
  explicit AbsIOp(uint64_t) {}
  TRISECT_INLINE Result operator()(First a) const {
    const Compute<T> value = Compute<T>(Element<T>::asSigned(a));
    return narrow<T>(Compute<T>(Element<T>::asSigned(a) < 0 ? Compute<T>(0) - value : value));
  }
};

/// Bit counts, over the width of the type.
template <DType T> struct CtlzOp {
  using Result = Storage<T>;
  using First = Storage<T>;
  explicit CtlzOp(uint64_t) {}
  TRISECT_INLINE Result operator()(First a) const {
    constexpr int width = Element<T>::width;
    const uint64_t x = widen<T>(a);
    if constexpr (width > 32)
      return Result(x == 0 ? 64 : __builtin_clzll(x));
    else
      return narrow<T>(Result((x == 0 ? 32 : __builtin_clz(uint32_t(x))) - (32 - width)));
  }
};
template <DType T> struct CttzOp {
  using Result = Storage<T>;
  using First = Storage<T>;
  explicit CttzOp(uint64_t) {}
  TRISECT_INLINE Result operator()(First a) const {
    constexpr int width = Element<T>::width;
    const uint64_t x = widen<T>(a);
    if constexpr (width > 32)
      return Result(x == 0 ? 64 : __builtin_ctzll(x));
    else
      return narrow<T>(Result(x == 0 ? width : __builtin_ctz(uint32_t(x))));
  }
};
template <DType T> struct CtpopOp {
  using Result = Storage<T>;
  using First = Storage<T>;
  explicit CtpopOp(uint64_t) {}
  TRISECT_INLINE Result operator()(First a) const {
    return narrow<T>(Result(__builtin_popcountll(widen<T>(a))));
  }
};

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_KERNELS_INTEGEROPS_H
