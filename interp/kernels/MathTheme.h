//===- MathTheme.h - adds the functions of the math dialect for one type --------------------------------===//
//
// What: addMathOf<T>() registers them all; functions of an angle get a loop that spots arguments too large
// for the fast reduction.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_MATHTHEME_H
#define TRISECT_INTERP_KERNELS_MATHTHEME_H

#include "interp/kernels/MathOps.h"
#include "interp/kernels/Registry.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

/// A chunk in which any argument is hard is done lane by lane.
template <class F, DType T> void runGuarded(void *result, const Strip *operands, int64_t n, uint64_t) {
  const auto *a = elements<Storage<T>>(operands[0]);
  auto *r = static_cast<Storage<T> *>(result);
  auto one = [](Storage<T> stored) {
    const Compute<T> x = widen<T>(stored);
    return narrow<T>(F::hard(x) ? F::slow(x) : F::apply(x));
  };
  if (operands[0].splat)
    return fill(r, one(*a), n);
  for (int64_t at = 0; at < n; at += spreadElements) {
    const int64_t count = n - at < spreadElements ? n - at : spreadElements;
    uint32_t hard = 0;
    for (int64_t i = 0; i < count; ++i)
      hard |= static_cast<uint32_t>(F::hard(widen<T>(a[at + i])));
    if (hard) {
      for (int64_t i = 0; i < count; ++i)
        r[at + i] = one(a[at + i]);
      continue;
    }
    TRISECT_LOOP for (int64_t i = 0; i < count; ++i) r[at + i] = narrow<T>(F::apply(widen<T>(a[at + i])));
  }
}
template <class F, DType T> constexpr ElementwiseFn angleKernel() {
  if constexpr (T == DType::F64)
    return runUnary<Unary<F, T, T>>;
  else
    return runGuarded<F, T>;
}

/// Lanes look up their coefficients together.
template <DType T> void runErf(void *result, const Strip *operands, int64_t n, uint64_t) {
  const auto *a = elements<Storage<T>>(operands[0]);
  auto *r = static_cast<Storage<T> *>(result);
  alignas(64) float x[erfLanes] = {};
  if (operands[0].splat) {
    x[0] = widen<T>(*a);
    erfF32(x);
    return fill(r, narrow<T>(x[0]), n);
  }
  for (int64_t at = 0; at < n; at += erfLanes) {
    const int64_t count = n - at < erfLanes ? n - at : erfLanes;
    TRISECT_LOOP for (int64_t i = 0; i < count; ++i) x[i] = widen<T>(a[at + i]);
    erfF32(x);
    TRISECT_LOOP for (int64_t i = 0; i < count; ++i) r[at + i] = narrow<T>(x[i]);
  }
}
template <DType T> constexpr ElementwiseFn erfKernel() {
  if constexpr (T == DType::F64)
    return runUnary<Unary<ErfF, T, T>>;
  else
    return runErf<T>;
}

template <DType T> void addMathOf(Registry &r) {
  r.add(OpId::math_exp, T, T, runUnary<Unary<ExpF, T, T>>);
  r.add(OpId::math_exp2, T, T, runUnary<Unary<Exp2F, T, T>>);
  r.add(OpId::math_expm1, T, T, runUnary<Unary<Expm1F, T, T>>);
  r.add(OpId::math_log, T, T, runUnary<Unary<LogF, T, T>>);
  r.add(OpId::math_log2, T, T, runUnary<Unary<Log2F, T, T>>);
  r.add(OpId::math_log10, T, T, runUnary<Unary<Log10F, T, T>>);
  r.add(OpId::math_log1p, T, T, runUnary<Unary<Log1pF, T, T>>);
  r.add(OpId::math_rsqrt, T, T, runUnary<Unary<RsqrtF, T, T>>);
  r.add(OpId::math_cbrt, T, T, runUnary<Unary<CbrtF, T, T>>);
  r.add(OpId::math_sin, T, T, angleKernel<SinF, T>());
  r.add(OpId::math_cos, T, T, angleKernel<CosF, T>());
  r.add(OpId::math_tan, T, T, angleKernel<TanF, T>());
  r.add(OpId::math_asin, T, T, runUnary<Unary<AsinF, T, T>>);
  r.add(OpId::math_acos, T, T, runUnary<Unary<AcosF, T, T>>);
  r.add(OpId::math_atan, T, T, runUnary<Unary<AtanF, T, T>>);
  r.add(OpId::math_sinh, T, T, runUnary<Unary<SinhF, T, T>>);
  r.add(OpId::math_cosh, T, T, runUnary<Unary<CoshF, T, T>>);
  r.add(OpId::math_tanh, T, T, runUnary<Unary<TanhF, T, T>>);
  r.add(OpId::math_asinh, T, T, runUnary<Unary<AsinhF, T, T>>);
  r.add(OpId::math_acosh, T, T, runUnary<Unary<AcoshF, T, T>>);
  r.add(OpId::math_atanh, T, T, runUnary<Unary<AtanhF, T, T>>);
  r.add(OpId::math_erf, T, T, erfKernel<T>());
  r.add(OpId::math_atan2, T, T, runBinarySpread<Binary<Atan2F, T, T>>);
  r.add(OpId::math_powf, T, T, runBinarySpread<Binary<PowF, T, T>>);
  r.add(OpId::arith_remf, T, T, runBinarySpread<Binary<RemF, T, T>>);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_KERNELS_MATHTHEME_H
