//===- Floats.cpp - libdevice functions on floats -------------------------------------------------------===//
//
// What: f32 functions through double, f64 functions through long double, rounded once at the end.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/runtime/Function.h"
#include <cmath>
#include <initializer_list>
#include <limits>
#include <type_traits>

namespace trisect::cpu {

namespace {
using D = long double;
constexpr D pi = 3.141592653589793238462643383279502884L;
constexpr D rootOfPi = 1.772453850905516027298167483341145183L;
constexpr D rootOfTwo = 1.414213562373095048801688724209698079L;

template <class T> using Wider = std::conditional_t<sizeof(T) == 4, double, long double>;

/// F on the next wider type, rounded.
template <class T, auto F> T rounded(T x) { return static_cast<T>(F(static_cast<D>(x))); }

// Of pi * x; the argument is folded to an eighth of a turn, which is exact.
D sineOfTurns(D x) {
  if (!std::isfinite(x))
    return std::numeric_limits<D>::quiet_NaN();
  D rest = std::fmod(x, 2.0L);
  if (rest == std::trunc(rest))
    return std::copysign(0.0L, x);
  if (std::fabs(rest) > 1)
    rest -= std::copysign(2.0L, rest);
  D folded = std::fabs(rest) > 0.5L ? std::copysign(1.0L, rest) - rest : rest;
  return std::sin(folded * pi);
}
D cosineOfTurns(D x) {
  if (!std::isfinite(x))
    return std::numeric_limits<D>::quiet_NaN();
  D rest = std::fabs(std::fmod(x, 2.0L));
  if (rest > 1)
    rest = 2 - rest;
  return rest == 0.5L ? 0.0L : rest < 0.25L ? std::cos(rest * pi) : std::sin((0.5L - rest) * pi);
}
D scaledErfc(D x) {
  if (std::isnan(x))
    return x;
  if (x < 20)
    return std::exp(x * x) * std::erfc(x);
  D sum = 1, term = 1, twice = 2 * x * x;
  for (int k = 1; k < 30 && std::fabs(term) > 1e-22L; ++k) {
    term *= -(2 * k - 1) / twice;
    sum += term;
  }
  return sum / (x * rootOfPi);
}
D normalDistribution(D x) { return std::erfc(-x / rootOfTwo) / 2; }
D powerOfTen(D x) { return std::pow(10.0L, x); }
D inverseCubeRoot(D x) { return 1 / std::cbrt(x); }

template <class T> int32_t exponent(T x) {
  if (std::isnan(x) || x == 0)
    return INT32_MIN;
  return std::isinf(x) ? INT32_MAX : std::ilogb(x);
}
template <class T> T positiveDifference(T a, T b) {
  return std::isnan(a) || std::isnan(b) ? a + b : std::fdim(a, b);
}
template <class T> T power(T x, int32_t n) {
  return static_cast<T>(std::pow(static_cast<Wider<T>>(x), static_cast<Wider<T>>(n)));
}

/// Nearest integer that fits; NaN gives 0. `x` is whole.
template <class T> int64_t saturated(T x) {
  if (std::isnan(x))
    return 0;
  if (x >= T(0x1p63))
    return INT64_MAX;
  return x < T(-0x1p63) ? INT64_MIN : static_cast<int64_t>(x);
}

template <class T> T length(std::initializer_list<T> parts, bool inverse) {
  Wider<T> sum = 0;
  for (T part : parts)
    sum = std::hypot(sum, static_cast<Wider<T>>(part));
  return static_cast<T>(inverse ? 1 / sum : sum);
}

template <class T> struct Names {
  const char *exp10, *sinpi, *cospi, *erfc, *erfcx, *normcdf, *rcbrt, *logb, *ilogb;
  const char *hypot, *rhypot, *norm3, *rnorm3, *norm4, *rnorm4;
  const char *remainder, *nextafter, *fdim, *ldexp, *scalbn, *powi;
  const char *nan, *inf, *finite, *sign, *llrint, *llround, *rcp;
};

template <class T> void addAll(RuntimeList &list, const Names<T> &n) {
  add<rounded<T, powerOfTen>, T, T>(list, n.exp10);
  add<rounded<T, sineOfTurns>, T, T>(list, n.sinpi);
  add<rounded<T, cosineOfTurns>, T, T>(list, n.cospi);
  add<rounded<T, [](D x) { return std::erfc(x); }>, T, T>(list, n.erfc);
  add<rounded<T, scaledErfc>, T, T>(list, n.erfcx);
  add<rounded<T, normalDistribution>, T, T>(list, n.normcdf);
  add<rounded<T, inverseCubeRoot>, T, T>(list, n.rcbrt);
  add<[](T x) { return std::logb(x); }, T, T>(list, n.logb);
  add<exponent<T>, int32_t, T>(list, n.ilogb);
  add<[](T a, T b) { return length<T>({a, b}, false); }, T, T, T>(list, n.hypot);
  add<[](T a, T b) { return length<T>({a, b}, true); }, T, T, T>(list, n.rhypot);
  add<[](T a, T b, T c) { return length<T>({a, b, c}, false); }, T, T, T, T>(list, n.norm3);
  add<[](T a, T b, T c) { return length<T>({a, b, c}, true); }, T, T, T, T>(list, n.rnorm3);
  add<[](T a, T b, T c, T d) { return length<T>({a, b, c, d}, false); }, T, T, T, T, T>(list, n.norm4);
  add<[](T a, T b, T c, T d) { return length<T>({a, b, c, d}, true); }, T, T, T, T, T>(list, n.rnorm4);
  add<[](T a, T b) { return std::remainder(a, b); }, T, T, T>(list, n.remainder);
  add<[](T a, T b) { return std::nextafter(a, b); }, T, T, T>(list, n.nextafter);
  add<positiveDifference<T>, T, T, T>(list, n.fdim);
  add<[](T x, int32_t e) { return std::ldexp(x, e); }, T, T, int32_t>(list, n.ldexp);
  add<[](T x, int32_t e) { return std::ldexp(x, e); }, T, T, int32_t>(list, n.scalbn);
  add<power<T>, T, T, int32_t>(list, n.powi);
  add<[](T x) { return int32_t(std::isnan(x)); }, int32_t, T>(list, n.nan);
  add<[](T x) { return int32_t(std::isinf(x)); }, int32_t, T>(list, n.inf);
  add<[](T x) { return int32_t(std::isfinite(x)); }, int32_t, T>(list, n.finite);
  add<[](T x) { return int32_t(std::signbit(x)); }, int32_t, T>(list, n.sign);
  add<[](T x) { return saturated(std::rint(x)); }, int64_t, T>(list, n.llrint);
  add<[](T x) { return saturated(std::round(x)); }, int64_t, T>(list, n.llround);
  add<[](T x) { return 1 / x; }, T, T>(list, n.rcp);
}
} // namespace

void addFloats(RuntimeList &list) {
  addAll<float>(list, {"__nv_exp10f",     "__nv_sinpif",     "__nv_cospif",   "__nv_erfcf",   "__nv_erfcxf",
                       "__nv_normcdff",   "__nv_rcbrtf",     "__nv_logbf",    "__nv_ilogbf",  "__nv_hypotf",
                       "__nv_rhypotf",    "__nv_norm3df",    "__nv_rnorm3df", "__nv_norm4df", "__nv_rnorm4df",
                       "__nv_remainderf", "__nv_nextafterf", "__nv_fdimf",    "__nv_ldexpf",  "__nv_scalbnf",
                       "__nv_powif",      "__nv_isnanf",     "__nv_isinff",   "__nv_finitef", "__nv_signbitf",
                       "__nv_llrintf",    "__nv_llroundf",   "__nv_frcp_rn"});
  addAll<double>(list, {"__nv_exp10",     "__nv_sinpi",     "__nv_cospi",   "__nv_erfc",      "__nv_erfcx",
                        "__nv_normcdf",   "__nv_rcbrt",     "__nv_logb",    "__nv_ilogb",     "__nv_hypot",
                        "__nv_rhypot",    "__nv_norm3d",    "__nv_rnorm3d", "__nv_norm4d",    "__nv_rnorm4d",
                        "__nv_remainder", "__nv_nextafter", "__nv_fdim",    "__nv_ldexp",     "__nv_scalbn",
                        "__nv_powi",      "__nv_isnand",    "__nv_isinfd",  "__nv_isfinited", "__nv_signbitd",
                        "__nv_llrint",    "__nv_llround",   "__nv_drcp_rn"});
  add<rounded<float, powerOfTen>, float, float>(list, "__nv_fast_exp10f");
  add<[](float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }, float, float>(list, "__nv_saturatef");
}

} // namespace trisect::cpu
