//===- MathOps.h - functions by their names, for f32 and f64 --------------------------------------------===//
//
// What: one struct a function, with apply() for float and for double. Functions without code of their own in
// interp/numerics run through the double function of the C library; an f32 result is then rounded once more.
// Limits: f16 and bf16 compute in f32 and round again. ULP figures: docs/numerics.md.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_MATHOPS_H
#define TRISECT_INTERP_KERNELS_MATHOPS_H

#include "interp/kernels/Loops.h"
#include "interp/numerics/Exp32.h"
#include "interp/numerics/Log32.h"
#include <math.h>

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

struct ExpF {
  TRISECT_INLINE static float apply(float x) { return expF32(x); }
  TRISECT_INLINE static double apply(double x) { return ::exp(x); }
};
struct Exp2F {
  TRISECT_INLINE static float apply(float x) { return exp2F32(x); }
  TRISECT_INLINE static double apply(double x) { return ::exp2(x); }
};
struct LogF {
  TRISECT_INLINE static float apply(float x) { return logF32(x); }
  TRISECT_INLINE static double apply(double x) { return ::log(x); }
};
struct Log2F {
  TRISECT_INLINE static float apply(float x) { return log2F32(x); }
  TRISECT_INLINE static double apply(double x) { return ::log2(x); }
};
struct RsqrtF {
  TRISECT_INLINE static float apply(float x) { return static_cast<float>(1.0 / __builtin_sqrt(double(x))); }
  TRISECT_INLINE static double apply(double x) { return 1.0 / __builtin_sqrt(x); }
};

#define TRISECT_LIBM_UNARY(Name, function)                                                                   \
  struct Name {                                                                                              \
    TRISECT_INLINE static float apply(float x) { return static_cast<float>(::function(double(x))); }         \
    TRISECT_INLINE static double apply(double x) { return ::function(x); }                                   \
  };
TRISECT_LIBM_UNARY(Expm1F, expm1)
TRISECT_LIBM_UNARY(Log10F, log10)
TRISECT_LIBM_UNARY(Log1pF, log1p)
TRISECT_LIBM_UNARY(CbrtF, cbrt)
TRISECT_LIBM_UNARY(SinF, sin)
TRISECT_LIBM_UNARY(CosF, cos)
TRISECT_LIBM_UNARY(TanF, tan)
TRISECT_LIBM_UNARY(AsinF, asin)
TRISECT_LIBM_UNARY(AcosF, acos)
TRISECT_LIBM_UNARY(AtanF, atan)
TRISECT_LIBM_UNARY(SinhF, sinh)
TRISECT_LIBM_UNARY(CoshF, cosh)
TRISECT_LIBM_UNARY(TanhF, tanh)
TRISECT_LIBM_UNARY(AsinhF, asinh)
TRISECT_LIBM_UNARY(AcoshF, acosh)
TRISECT_LIBM_UNARY(AtanhF, atanh)
TRISECT_LIBM_UNARY(ErfF, erf)
#undef TRISECT_LIBM_UNARY

struct Atan2F {
  TRISECT_INLINE static float apply(float y, float x) {
    return static_cast<float>(::atan2(double(y), double(x)));
  }
  TRISECT_INLINE static double apply(double y, double x) { return ::atan2(y, x); }
};
struct PowF {
  TRISECT_INLINE static float apply(float x, float y) {
    return static_cast<float>(::pow(double(x), double(y)));
  }
  TRISECT_INLINE static double apply(double x, double y) { return ::pow(x, y); }
};
/// The rest of a truncated division, exact, with the sign of the dividend.
struct RemF {
  TRISECT_INLINE static float apply(float x, float y) { return ::fmodf(x, y); }
  TRISECT_INLINE static double apply(double x, double y) { return ::fmod(x, y); }
};

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_KERNELS_MATHOPS_H
