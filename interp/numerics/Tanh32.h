//===- Tanh32.h - f32 tanh ------------------------------------------------------------------------------===//
//
// What: tanh in f32 arithmetic with explicit fused multiply-adds.
// Limits: docs/numerics.md fixes the steps, which compiled code takes too, and states what was measured.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_NUMERICS_TANH32_H
#define TRISECT_INTERP_NUMERICS_TANH32_H

#include "interp/numerics/Exp32.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

/// An odd polynomial below 3/4, 1 - 2 / (e^(2|x|) + 1) above.
TRISECT_INLINE float tanhF32(float x) {
  const float a = absolute(x), z = x * x;
  const float p = fusedHorner(z, -0x1.555554p-2f, 0x1.111042p-3f, -0x1.b9d7a4p-5f, 0x1.6224cp-6f,
                              -0x1.03f77ap-7f, 0x1.f48334p-10f);
  const float near = fusedMultiplyAdd(a * z, p, a);
  const float far = 1.0f - 2.0f / (expF32(a + a) + 1.0f);
  return withSign(a < 0.75f ? near : far, x);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_NUMERICS_TANH32_H
