//===- Loops.h - from an operation on one element to a kernel over strips -------------------------------===//
//
// What: loops for one, two and three operands, and the adaptors that turn an operation on computed values
// into one on stored elements. Why: the compiler vectorises these loops when a splat operand is read once
// before them; so each pattern of splats that matters has its own loop, and kernels only say what happens to
// one element. Limits: an operation is a small object made from the op's attribute; it must inline.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_LOOPS_H
#define TRISECT_INTERP_KERNELS_LOOPS_H

#include "interp/kernels/KernelTable.h"
#include "interp/numerics/Element.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

template <class T> TRISECT_INLINE const T *elements(const Strip &strip) {
  return static_cast<const T *>(strip.data);
}
template <class T> TRISECT_INLINE void fill(T *out, T value, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = value;
}

/// F::apply on computed values as an operation on stored elements.
template <class F, DType R, DType A> struct Unary {
  using Result = Storage<R>;
  using First = Storage<A>;
  explicit Unary(uint64_t) {}
  TRISECT_INLINE Result operator()(First a) const { return narrow<R>(F::apply(widen<A>(a))); }
};
template <class F, DType R, DType A, DType B = A> struct Binary {
  using Result = Storage<R>;
  using First = Storage<A>;
  using Second = Storage<B>;
  explicit Binary(uint64_t) {}
  TRISECT_INLINE Result operator()(First a, Second b) const {
    return narrow<R>(F::apply(widen<A>(a), widen<B>(b)));
  }
};
template <class F, DType T> struct Ternary {
  using Result = Storage<T>;
  using First = Storage<T>;
  using Second = Storage<T>;
  using Third = Storage<T>;
  explicit Ternary(uint64_t) {}
  TRISECT_INLINE Result operator()(First a, Second b, Third c) const {
    return narrow<T>(F::apply(widen<T>(a), widen<T>(b), widen<T>(c)));
  }
};

template <class Op> void runUnary(void *result, const Strip *operands, int64_t n, uint64_t attribute) {
  const Op op(attribute);
  auto *r = static_cast<typename Op::Result *>(result);
  const auto *a = elements<typename Op::First>(operands[0]);
  if (operands[0].splat)
    return fill(r, op(*a), n);
  TRISECT_LOOP for (int64_t i = 0; i < n; ++i) r[i] = op(a[i]);
}

template <class Op> void runBinary(void *result, const Strip *operands, int64_t n, uint64_t attribute) {
  const Op op(attribute);
  auto *r = static_cast<typename Op::Result *>(result);
  const auto *a = elements<typename Op::First>(operands[0]);
  const auto *b = elements<typename Op::Second>(operands[1]);
  if (operands[0].splat && operands[1].splat)
    return fill(r, op(*a, *b), n);
  if (operands[0].splat) {
    const auto x = *a;
    TRISECT_LOOP for (int64_t i = 0; i < n; ++i) r[i] = op(x, b[i]);
  } else if (operands[1].splat) {
    const auto y = *b;
    TRISECT_LOOP for (int64_t i = 0; i < n; ++i) r[i] = op(a[i], y);
  } else {
    TRISECT_LOOP for (int64_t i = 0; i < n; ++i) r[i] = op(a[i], b[i]);
  }
}

/// How many elements of a splat are written out at a time where no loop of its own is worth its code.
constexpr int64_t spreadElements = 256;

/// An operand in pieces of spreadElements: a splat is written out once, anything else is read in place.
template <class T> class Spread {
public:
  Spread(const Strip &strip, int64_t n) : base(elements<T>(strip)), splat(strip.splat) {
    if (splat)
      fill(buffer, *base, n < spreadElements ? n : spreadElements);
  }
  const T *at(int64_t i) const { return splat ? buffer : base + i; }

private:
  const T *base;
  bool splat;
  alignas(64) T buffer[spreadElements];
};

template <class Op> void runBinarySpread(void *result, const Strip *operands, int64_t n, uint64_t attribute) {
  const Op op(attribute);
  const Spread<typename Op::First> first(operands[0], n);
  const Spread<typename Op::Second> second(operands[1], n);
  for (int64_t at = 0; at < n; at += spreadElements) {
    const int64_t count = n - at < spreadElements ? n - at : spreadElements;
    auto *r = static_cast<typename Op::Result *>(result) + at;
    const auto *a = first.at(at);
    const auto *b = second.at(at);
    TRISECT_LOOP for (int64_t i = 0; i < count; ++i) r[i] = op(a[i], b[i]);
  }
}

template <class Op> void runTernary(void *result, const Strip *operands, int64_t n, uint64_t attribute) {
  const Op op(attribute);
  const Spread<typename Op::First> first(operands[0], n);
  const Spread<typename Op::Second> second(operands[1], n);
  const Spread<typename Op::Third> third(operands[2], n);
  for (int64_t at = 0; at < n; at += spreadElements) {
    const int64_t count = n - at < spreadElements ? n - at : spreadElements;
    auto *r = static_cast<typename Op::Result *>(result) + at;
    const auto *a = first.at(at);
    const auto *b = second.at(at);
    const auto *c = third.at(at);
    TRISECT_LOOP for (int64_t i = 0; i < count; ++i) r[i] = op(a[i], b[i], c[i]);
  }
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_KERNELS_LOOPS_H
