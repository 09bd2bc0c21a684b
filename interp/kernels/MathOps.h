//===- MathOps.h - functions by their names, for f32 and f64 --------------------------------------------===//
//
// What: one struct a function, with apply() for float and for double. The f32 functions are those of
// interp/numerics, the f64 functions those of the C library.
// Limits: f16 and bf16 compute in f32 and round again. ULP figures: docs/numerics.md.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_MATHOPS_H
#define TRISECT_INTERP_KERNELS_MATHOPS_H

#include "interp/kernels/Loops.h"
#include "interp/numerics/Erf32.h"
#include "interp/numerics/ErrorFunction32.h"
#include "interp/numerics/Exp32.h"
#include "interp/numerics/Exponential32.h"
#include "interp/numerics/Log32.h"
#include "interp/numerics/Power32.h"
#include "interp/numerics/Tanh32.h"
#include "interp/numerics/Trig32.h"
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
  TRISECT_INLINE static float apply(float x) { return rsqrtF32(x); }
  TRISECT_INLINE static double apply(double x) { return 1.0 / __builtin_sqrt(x); }
};

/// A function whose f32 version is ours and whose f64 version is the C library's.
#define TRISECT_FUNCTION(Name, ours, library)                                                                \
  struct Name {                                                                                              \
    TRISECT_INLINE static float apply(float x) { return ours(x); }                                           \
    TRISECT_INLINE static double apply(double x) { return ::library(x); }                                    \
  };
TRISECT_FUNCTION(Expm1F, expm1F32, expm1)
TRISECT_FUNCTION(Log10F, log10F32, log10)
TRISECT_FUNCTION(Log1pF, log1pF32, log1p)
TRISECT_FUNCTION(AsinF, asinF32, asin)
TRISECT_FUNCTION(AcosF, acosF32, acos)
TRISECT_FUNCTION(AtanF, atanF32, atan)
TRISECT_FUNCTION(SinhF, sinhF32, sinh)
TRISECT_FUNCTION(CoshF, coshF32, cosh)
TRISECT_FUNCTION(TanhF, tanhF32, tanh)
TRISECT_FUNCTION(AsinhF, asinhF32, asinh)
TRISECT_FUNCTION(AcoshF, acoshF32, acosh)
TRISECT_FUNCTION(AtanhF, atanhF32, atanh)
TRISECT_FUNCTION(ErfcF, erfcF32, erfc)
#undef TRISECT_FUNCTION
/// Of f32 it is computed for many lanes at a time (MathTheme.h).
struct ErfF {
  TRISECT_INLINE static double apply(double x) { return ::erf(x); }
};

/// The same for functions of an angle: `hard` arguments take the library's double function.
#define TRISECT_ANGLE_FUNCTION(Name, ours, hardFor, library)                                                 \
  struct Name {                                                                                              \
    TRISECT_INLINE static bool hard(float x) { return hardFor(x); }                                          \
    TRISECT_INLINE static float slow(float x) { return static_cast<float>(::library(double(x))); }           \
    TRISECT_INLINE static float apply(float x) { return ours(x); }                                           \
    TRISECT_INLINE static double apply(double x) { return ::library(x); }                                    \
  };
TRISECT_ANGLE_FUNCTION(SinF, sinF32, hardForCircle, sin)
TRISECT_ANGLE_FUNCTION(CosF, cosF32, hardForCircle, cos)
TRISECT_ANGLE_FUNCTION(TanF, tanF32, hardForTangent, tan)
#undef TRISECT_ANGLE_FUNCTION

struct CbrtF {
  TRISECT_INLINE static float apply(float x) { return cbrtF32(x); }
  TRISECT_INLINE static double apply(double x) {
    const double y = ::cbrt(x); // the library's is off by up to 4 ULP
    return x != 0 && absolute(x) < infinity(x) ? refineCubeRoot(y, x) : y;
  }
};
struct Atan2F {
  TRISECT_INLINE static float apply(float y, float x) { return atan2F32(y, x); }
  TRISECT_INLINE static double apply(double y, double x) { return ::atan2(y, x); }
};
struct PowF {
  TRISECT_INLINE static float apply(float x, float y) { return powF32(x, y); }
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
