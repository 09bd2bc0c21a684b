//===- TanhErf32.h - f32 tanh and erf -------------------------------------------------------------------===//
//
// What: the two functions of activations, in f32 arithmetic with explicit fused multiply-adds: an odd
// polynomial near 0 and 1 minus an exponential beyond. Limits: at most 1.2 ULP (docs/numerics.md states what
// was measured).
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_NUMERICS_TANHERF32_H
#define TRISECT_INTERP_NUMERICS_TANHERF32_H

#include "interp/numerics/Exp32.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

/// c0 + x * (c1 + x * (c2 + ...)), each step rounded once.
TRISECT_INLINE float fusedHorner(float, float c) { return c; }
template <class... Rest> TRISECT_INLINE float fusedHorner(float x, float c, Rest... rest) {
  return fusedMultiplyAdd(fusedHorner(x, rest...), x, c);
}

TRISECT_INLINE float tanhF32(float x) {
  const float a = absolute(x), z = x * x;
  const float p = fusedHorner(z, -0x1.555554p-2f, 0x1.111042p-3f, -0x1.b9d7a4p-5f, 0x1.6224cp-6f,
                              -0x1.03f77ap-7f, 0x1.f48334p-10f);
  const float near = fusedMultiplyAdd(a * z, p, a);
  const float far = 1.0f - 2.0f / (expF32(2.0f * a) + 1.0f);
  return withSign(a < 0.75f ? near : far, x);
}

TRISECT_INLINE float erfF32(float x) {
  const float a = absolute(x), z = x * x;
  const float p = fusedHorner(z, 0x1.06eba8p-3f, -0x1.81273ep-2f, 0x1.ce2d1p-4f, -0x1.b7fabap-6f,
                              0x1.541272p-8f, -0x1.a45088p-11f, 0x1.4a5692p-14f);
  const float near = fusedMultiplyAdd(a, p, a);
  // erfc(1 + u) = e^-g(u) for u up to 3; from there on erf is 1.
  const float u = (a > 4.0f ? 4.0f : a) - 1.0f;
  const float g =
      fusedHorner(u, 0x1.d97fcp+0f, 0x1.51c9b4p+1f, 0x1.afaaeap-1f, 0x1.54b582p-5f, -0x1.4b1db6p-7f,
                  0x1.10db56p-9f, -0x1.60b9e8p-12f, 0x1.4294b8p-15f, -0x1.623bb4p-19f, 0x1.45ac78p-24f);
  const float far = 1.0f - expF32(-g);
  return withSign(a < 1.0f ? near : far, x);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_NUMERICS_TANHERF32_H
