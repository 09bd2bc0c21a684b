//===- Floats.cpp - libdevice functions on floats -------------------------------------------------------===//
//--------------===//
//
// What: for f32 through double, rounded once more; for f64 the C library.
// Limits: stated ULP in docs/numerics.md.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/kernels/libdevice/Lanes.h"
#include "interp/kernels/libdevice/Libdevice.h"
#include "interp/numerics/Erf32.h"
#include "interp/numerics/Exponential32.h"
#include "interp/numerics/Power32.h"
#include "interp/numerics/Rounding.h"
#include "interp/numerics/Trig32.h"
#include <cmath>

namespace trisect::interp {

double erfcxOfLarge(double x) {
  const double z = 1 / (2 * x * x);
  double series = 1;
  for (int odd = 15; odd >= 1; odd -= 2)
    series = 1 - z * odd * series;
  return series / (x * std::sqrt(M_PI));
}

namespace {
constexpr DType i32 = DType::I32, i64 = DType::I64, f32 = DType::F32, f64 = DType::F64;

/// Of pi * x: the argument is reduced before it is multiplied.
double sinpi(double x) {
  const double turn = x - 2 * std::rint(x / 2); // exact, in [-1, 1]
  const double folded = turn > 0.5 ? 1 - turn : turn < -0.5 ? -1 - turn : turn;
  return std::abs(turn) == 1 ? withSign(0.0, x) : std::sin(folded * M_PI);
}
double cospi(double x) {
  const double turn = std::abs(x - 2 * std::rint(x / 2));
  return turn == 0.5 ? 0.0 : turn < 0.25 ? std::cos(turn * M_PI) : std::sin((0.5 - turn) * M_PI);
}
double exp10Of(double x) { return std::pow(10.0, x); }
double erfcxOf(double x) {
  if (x < -27) // the square of a smaller one is no number
    return std::numeric_limits<double>::infinity();
  return x < 25 ? std::exp(x * x) * std::erfc(x) * (1 + std::fma(x, x, -(x * x))) : erfcxOfLarge(x);
}
double normcdfOf(double x) {
  // erfc magnifies what rounding its argument lost: its slope gives that back.
  const double t = -x * M_SQRT1_2;
  const double lost = std::fma(-x, M_SQRT1_2, -t) + x * 0x1.bdd3413b26456p-55;
  const double correction = lost * M_2_SQRTPI * std::exp(-t * t);
  return 0.5 * (std::erfc(t) - (std::isfinite(correction) ? correction : 0.0));
}
double rcbrtOf(double x) {
  const double y = std::cbrt(x);
  return 1 / (x != 0 && std::isfinite(x) ? refineCubeRoot(y, x) : y);
}
/// Not std::hypot of three, which drops a NaN beside zeros and makes one of infinity.
double norm3d(double a, double b, double c) { return std::hypot(std::hypot(a, b), c); }
double norm4d(double a, double b, double c, double d) {
  return std::hypot(std::hypot(a, b), std::hypot(c, d));
}
template <class T> T saturate(T x) { return x > T(0) ? (x < T(1) ? x : T(1)) : T(0); }
template <class T> T fdimOf(T a, T b) {
  return std::isnan(a) || std::isnan(b) ? a + b : a > b ? a - b : T(0);
}
template <class T> T scale(T x, int32_t exponent) { return std::scalbn(x, exponent); }
/// CUDA's values for zero, infinity and NaN.
template <class T> int32_t exponentOf(T x) {
  if (x == 0 || std::isnan(x))
    return std::numeric_limits<int32_t>::min();
  return std::isinf(x) ? std::numeric_limits<int32_t>::max() : std::ilogb(x);
}
template <class T> T powerOfInteger(T x, int32_t n) { return static_cast<T>(std::pow(double(x), double(n))); }

template <auto F> constexpr auto rounded2 = [](float a, float b) { return float(F(double(a), double(b))); };

void addOneArgument(Registry &r) {
  r.addExtern("__nv_exp10f", f32, f32, laneKernel<exp10F32, float, float>);
  r.addExtern("__nv_exp10", f64, f64, laneKernel<exp10Of, double, double>);
  r.addExtern("__nv_fast_exp10f", f32, f32, laneKernel<exp10F32, float, float>);
  r.addExtern("__nv_sinpif", f32, f32, laneKernel<sinpiF32, float, float>);
  r.addExtern("__nv_sinpi", f64, f64, laneKernel<sinpi, double, double>);
  r.addExtern("__nv_cospif", f32, f32, laneKernel<cospiF32, float, float>);
  r.addExtern("__nv_cospi", f64, f64, laneKernel<cospi, double, double>);
  r.addExtern("__nv_erfcf", f32, f32, laneKernel<erfcF32, float, float>);
  r.addExtern("__nv_erfc", f64, f64, laneKernel<[](double x) { return std::erfc(x); }, double, double>);
  r.addExtern("__nv_erfcxf", f32, f32, laneKernel<erfcxF32, float, float>);
  r.addExtern("__nv_erfcx", f64, f64, laneKernel<erfcxOf, double, double>);
  r.addExtern("__nv_normcdff", f32, f32, laneKernel<normcdfF32, float, float>);
  r.addExtern("__nv_normcdf", f64, f64, laneKernel<normcdfOf, double, double>);
  r.addExtern("__nv_rcbrtf", f32, f32, laneKernel<rcbrtF32, float, float>);
  r.addExtern("__nv_rcbrt", f64, f64, laneKernel<rcbrtOf, double, double>);
  r.addExtern("__nv_saturatef", f32, f32, laneKernel<saturate<float>, float, float>);
  r.addExtern("__nv_logbf", f32, f32, laneKernel<[](float x) { return std::logb(x); }, float, float>);
  r.addExtern("__nv_logb", f64, f64, laneKernel<[](double x) { return std::logb(x); }, double, double>);
  r.addExtern("__nv_ilogbf", f32, i32, laneKernel<exponentOf<float>, int32_t, float>);
  r.addExtern("__nv_ilogb", f64, i32, laneKernel<exponentOf<double>, int32_t, double>);
  r.addExtern("__nv_frcp_rn", f32, f32, laneKernel<[](float x) { return 1 / x; }, float, float>);
  r.addExtern("__nv_drcp_rn", f64, f64, laneKernel<[](double x) { return 1 / x; }, double, double>);
}

void addTwoArguments(Registry &r) {
  r.addExtern("__nv_hypotf", f32, f32,
              laneKernel<rounded2<[](double a, double b) { return std::hypot(a, b); }>, float, float, float>);
  r.addExtern("__nv_hypot", f64, f64,
              laneKernel<[](double a, double b) { return std::hypot(a, b); }, double, double, double>);
  r.addExtern(
      "__nv_rhypotf", f32, f32,
      laneKernel<rounded2<[](double a, double b) { return 1 / std::hypot(a, b); }>, float, float, float>);
  r.addExtern("__nv_rhypot", f64, f64,
              laneKernel<[](double a, double b) { return 1 / std::hypot(a, b); }, double, double, double>);
  r.addExtern("__nv_norm3df", f32, f32,
              laneKernel<[](float a, float b, float c) { return float(norm3d(a, b, c)); }, float, float,
                         float, float>);
  r.addExtern("__nv_norm3d", f64, f64, laneKernel<norm3d, double, double, double, double>);
  r.addExtern("__nv_rnorm3df", f32, f32,
              laneKernel<[](float a, float b, float c) { return float(1 / norm3d(a, b, c)); }, float, float,
                         float, float>);
  r.addExtern("__nv_rnorm3d", f64, f64,
              laneKernel<[](double a, double b, double c) { return 1 / norm3d(a, b, c); }, double, double,
                         double, double>);
  r.addExtern("__nv_norm4df", f32, f32,
              laneKernel<[](float a, float b, float c, float d) { return float(norm4d(a, b, c, d)); }, float,
                         float, float, float, float>);
  r.addExtern("__nv_norm4d", f64, f64, laneKernel<norm4d, double, double, double, double, double>);
  r.addExtern("__nv_rnorm4df", f32, f32,
              laneKernel<[](float a, float b, float c, float d) { return float(1 / norm4d(a, b, c, d)); },
                         float, float, float, float, float>);
  r.addExtern("__nv_rnorm4d", f64, f64,
              laneKernel<[](double a, double b, double c, double d) { return 1 / norm4d(a, b, c, d); },
                         double, double, double, double, double>);
  r.addExtern("__nv_remainderf", f32, f32,
              laneKernel<[](float a, float b) { return std::remainder(a, b); }, float, float, float>);
  r.addExtern("__nv_remainder", f64, f64,
              laneKernel<[](double a, double b) { return std::remainder(a, b); }, double, double, double>);
  r.addExtern("__nv_nextafterf", f32, f32,
              laneKernel<[](float a, float b) { return std::nextafter(a, b); }, float, float, float>);
  r.addExtern("__nv_nextafter", f64, f64,
              laneKernel<[](double a, double b) { return std::nextafter(a, b); }, double, double, double>);
  r.addExtern("__nv_fdimf", f32, f32, laneKernel<fdimOf<float>, float, float, float>);
  r.addExtern("__nv_fdim", f64, f64, laneKernel<fdimOf<double>, double, double, double>);
  for (const char *symbol : {"__nv_ldexpf", "__nv_scalbnf"})
    r.addExtern(symbol, f32, f32, laneKernel<scale<float>, float, float, int32_t>);
  for (const char *symbol : {"__nv_ldexp", "__nv_scalbn"})
    r.addExtern(symbol, f64, f64, laneKernel<scale<double>, double, double, int32_t>);
  r.addExtern("__nv_powif", f32, f32, laneKernel<powerOfInteger<float>, float, float, int32_t>);
  r.addExtern("__nv_powi", f64, f64, laneKernel<powerOfInteger<double>, double, double, int32_t>);
}

void addClasses(Registry &r) {
  r.addExtern("__nv_isnanf", f32, i32, laneKernel<[](float x) { return int32_t(isNan(x)); }, int32_t, float>);
  r.addExtern("__nv_isnand", f64, i32,
              laneKernel<[](double x) { return int32_t(isNan(x)); }, int32_t, double>);
  r.addExtern("__nv_isinff", f32, i32,
              laneKernel<[](float x) { return int32_t(std::isinf(x)); }, int32_t, float>);
  r.addExtern("__nv_isinfd", f64, i32,
              laneKernel<[](double x) { return int32_t(std::isinf(x)); }, int32_t, double>);
  r.addExtern("__nv_finitef", f32, i32,
              laneKernel<[](float x) { return int32_t(std::isfinite(x)); }, int32_t, float>);
  r.addExtern("__nv_isfinited", f64, i32,
              laneKernel<[](double x) { return int32_t(std::isfinite(x)); }, int32_t, double>);
  r.addExtern("__nv_signbitf", f32, i32,
              laneKernel<[](float x) { return int32_t(std::signbit(x)); }, int32_t, float>);
  r.addExtern("__nv_signbitd", f64, i32,
              laneKernel<[](double x) { return int32_t(std::signbit(x)); }, int32_t, double>);
  r.addExtern("__nv_llrintf", f32, i64,
              laneKernel<[](float x) { return toInteger<int64_t>(roundEven(x)); }, int64_t, float>);
  r.addExtern("__nv_llrint", f64, i64,
              laneKernel<[](double x) { return toInteger<int64_t>(roundEven(x)); }, int64_t, double>);
  r.addExtern("__nv_llroundf", f32, i64,
              laneKernel<[](float x) { return toInteger<int64_t>(roundAway(x)); }, int64_t, float>);
  r.addExtern("__nv_llround", f64, i64,
              laneKernel<[](double x) { return toInteger<int64_t>(roundAway(x)); }, int64_t, double>);
}
} // namespace

void addLibdeviceFloats(Registry &registry) {
  addOneArgument(registry);
  addTwoArguments(registry);
  addClasses(registry);
}

} // namespace trisect::interp
