//===- TanhErf32.h - f32 tanh and erf -------------------------------------------------------------------===//
//
// What: the two functions of activations, in f32 arithmetic with explicit fused multiply-adds.
// Limits: docs/numerics.md fixes the steps, which compiled code takes too, and states what was measured.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_NUMERICS_TANHERF32_H
#define TRISECT_INTERP_NUMERICS_TANHERF32_H

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

/// Below 1, x + x p(x^2), a fit over Chebyshev's nodes; above, 1 - 2^q(x), a fit of log2 erfc up to 4.
TRISECT_INLINE float erfF32(float x) {
  const float a = absolute(x);
  const float p = fusedHorner(a * a, 0x1.06eba8p-3f, -0x1.812746p-2f, 0x1.ce2f0ap-4f, -0x1.b829dp-6f,
                              0x1.562abep-8f, -0x1.bcd3a4p-11f, 0x1.d89ff4p-14f, -0x1.449782p-17f);
  const float near = fusedMultiplyAdd(a, p, a);
  const float bounded = a > 4.0f ? 4.0f : a;
  const float q =
      fusedHorner(bounded, 0x1.cab17p-12f, -0x1.a16786p+0f, -0x1.d2c95cp-1f, -0x1.44f232p-3f, 0x1.3797cap-5f,
                  -0x1.c02e44p-8f, 0x1.c05d14p-11f, -0x1.13df9cp-14f, 0x1.388a0ap-19f);
  const float far = 1.0f - exp2F32(q);
  return withSign(a < 1.0f ? near : far, x);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_NUMERICS_TANHERF32_H
