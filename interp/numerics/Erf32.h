//===- Erf32.h - f32 complementary error functions ------------------------------------------------------===//
//
// What: erfc, erfcx and the normal distribution, from one polynomial near 0 and one for e^(x^2) erfc x.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_NUMERICS_ERF32_H
#define TRISECT_INTERP_NUMERICS_ERF32_H

#include "interp/numerics/DoubleCore.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

/// erf x for |x| <= 1.
TRISECT_INLINE double erfNearZero(double x) {
  const double z = x * x;
  return x * horner(z, 0x1.20dd750429b6bp+0, -0x1.812746b037342p-2, 0x1.ce2f21a000417p-4,
                    -0x1.b82ce3024b3f2p-6, 0x1.565bcb04bef6fp-8, -0x1.c02d6775f793p-11, 0x1.f99c2111e21b3p-14,
                    -0x1.f467e4c0551cep-17, 0x1.b5d124ce7c6a4p-20, -0x1.461f756733256p-23,
                    0x1.43d1d12d53dfep-27);
}

/// e^(x^2) erfc x for x >= 0: (x + 2) times it is smooth in t = (x - 2) / (x + 2) from -1 to 1.
TRISECT_INLINE double erfcxPositive(double x) {
  const double bounded = x > 0x1p100 ? 0x1p100 : x;
  const double t = (bounded - 2.0) / (bounded + 2.0);
  const double p =
      horner(t, 0x1.058671b52c765p+0, -0x1.5fd386754f037p-1, 0x1.1e2deea6b4f83p-2, -0x1.2a88e61042622p-5,
             -0x1.606e415eb0fd8p-6, 0x1.a89eafaea0decp-8, 0x1.9517bfedc008cp-9, -0x1.b6fbd588d35b4p-11,
             -0x1.5ba4c003c2ecp-11, 0x1.2041f74c8f233p-15, 0x1.2f032e299e015p-13, 0x1.1ecb4d0ea3e3ap-15,
             -0x1.6cb4230b2a608p-16, -0x1.10699fcbd6f4ap-16, -0x1.1edd1c45ab054p-20, 0x1.03370d2abdf0cp-18,
             0x1.095c7c595c3fp-19, -0x1.19f6644be6a9bp-22, -0x1.4a4f4eeb3d54cp-21, -0x1.10f6ed83cacb3p-23,
             0x1.4f2385eee7151p-24, 0x1.04a3696c02dbp-25);
  return p / (x + 2.0);
}

/// erfc x for any double whose square is exact or nearly so.
TRISECT_INLINE double erfcDouble(double x) {
  const double a = absolute(x);
  const double tail = erfcxPositive(a) * expCore(-(a * a));
  const double far = x < 0 ? 2.0 - tail : tail;
  return a < 0.5 ? 1.0 - erfNearZero(a < 0.5 ? x : 0.0) : far;
}

TRISECT_INLINE float erfcF32(float x) { return static_cast<float>(erfcDouble(x)); }
TRISECT_INLINE float erfcxF32(float value) {
  const double x = value, a = absolute(x);
  const double positive = erfcxPositive(a);
  return static_cast<float>(x < 0 ? 2.0 * expCore(a * a) - positive : positive);
}
TRISECT_INLINE float normcdfF32(float x) {
  return static_cast<float>(0.5 * erfcDouble(x * -0x1.6a09e667f3bcdp-1));
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_NUMERICS_ERF32_H
