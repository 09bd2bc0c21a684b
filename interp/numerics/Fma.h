//===- Fma.h - a * b + c with one rounding --------------------------------------------------------------===//
//
// What: fused multiply-add in f32 and f64, and for operands that are bf16 or f16 values.
// Why: the f32 chain of a dot product must have the same bits on a machine without FMA instructions, and
// there a library call per element would be too slow. Limits: f64 without FMA instructions calls libm.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_NUMERICS_FMA_H
#define TRISECT_INTERP_NUMERICS_FMA_H

#include "interp/numerics/Bits.h"

/// Whether the level that is compiled has FMA instructions.
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define TRISECT_FMA 1
#else
#define TRISECT_FMA 0
#endif

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

TRISECT_INLINE float fusedMultiplyAdd(float a, float b, float c) {
#if TRISECT_FMA
  return __builtin_fmaf(a, b, c);
#else
  // The product is exact in double; the sum, rounded to odd, has 29 spare bits for the last rounding.
  return static_cast<float>(
      addToOdd(static_cast<double>(a) * static_cast<double>(b), static_cast<double>(c)));
#endif
}
TRISECT_INLINE double fusedMultiplyAdd(double a, double b, double c) { return __builtin_fma(a, b, c); }

/// a * b + c rounded to odd, for values of f16: the product is exact in f32.
TRISECT_INLINE float fusedToOddF16(float a, float b, float c) { return addToOdd(a * b, c); }
/// a * b + c rounded to odd, for any f32 values.
TRISECT_INLINE float fusedToOdd(float a, float b, float c) {
  return roundToOdd(addToOdd(static_cast<double>(a) * static_cast<double>(b), static_cast<double>(c)));
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_NUMERICS_FMA_H
