//===- Special.cpp - Bessel, gamma and inverse error functions ------------------------------------------===//
//
// What: in long double, rounded once to f32 or f64: the C library's Bessel and gamma functions; series for
// the modified Bessel functions; Newton's method for the inverse error functions.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/runtime/Function.h"
#include <cmath>
#include <limits>
#include <math.h>

namespace trisect::cpu {

namespace {
using D = long double;
constexpr D pi = 3.141592653589793238462643383279502884L;
constexpr D infinity = std::numeric_limits<D>::infinity();

// All terms are positive, so that the sum loses nothing.
D besselSeries(int order, D x) {
  D quarter = x * x / 4, term = order ? x / 2 : 1, sum = term;
  for (int k = 1; std::fabs(term) > std::fabs(sum) * 1e-21L; ++k) {
    term *= quarter / (D(k) * (k + order));
    sum += term;
  }
  return sum;
}
D besselLarge(int order, D x) {
  D mu = 4 * order * order, term = 1, sum = 1;
  for (int k = 1; k < 60; ++k) {
    D odd = 2 * k - 1, next = -term * (mu - odd * odd) / (8 * k * x);
    if (std::fabs(next) >= std::fabs(term) || std::fabs(next) < 1e-22L)
      break;
    sum += term = next;
  }
  return std::exp(x) / std::sqrt(2 * pi * x) * sum;
}
template <int Order> D besselI(D x) {
  D a = std::fabs(x);
  if (std::isnan(x))
    return x;
  D value = std::isinf(a) ? infinity : a < 40 ? besselSeries(Order, a) : besselLarge(Order, a);
  return Order && std::signbit(x) ? -value : value;
}

// y with erfc(y) = c for 0 < c <= 1, from a rational start.
D erfcInverseOfSmall(D c) {
  D t = std::sqrt(-2 * std::log(c / 2));
  D y = (t - (2.515517L + t * (0.802853L + t * 0.010328L)) /
                 (1 + t * (1.432788L + t * (0.189269L + t * 0.001308L)))) /
        std::sqrt(2.0L);
  for (int round = 0; round < 4; ++round) {
    D slope = -2 / std::sqrt(pi) * std::exp(-y * y), step = (std::erfc(y) - c) / slope;
    y -= step / (1 + y * step);
  }
  return y;
}
D erfInverse(D x) {
  D a = std::fabs(x);
  if (!(a <= 1))
    return std::numeric_limits<D>::quiet_NaN();
  if (a == 1)
    return std::copysign(infinity, x);
  if (a > 0.5L)
    return std::copysign(erfcInverseOfSmall(1 - a), x);
  D y = x * std::sqrt(pi) / 2;
  for (int round = 0; round < 6; ++round) {
    D slope = 2 / std::sqrt(pi) * std::exp(-y * y), step = (std::erf(y) - x) / slope;
    y -= step / (1 + y * step);
  }
  return x == 0 ? x : y;
}
D erfcInverse(D c) {
  if (!(c >= 0 && c <= 2))
    return std::numeric_limits<D>::quiet_NaN();
  if (c == 0 || c == 2)
    return c == 0 ? infinity : -infinity;
  if (c <= 0.5L)
    return erfcInverseOfSmall(c);
  return c >= 1.5L ? -erfcInverseOfSmall(2 - c) : erfInverse(1 - c);
}
D normalInverse(D p) { return -std::sqrt(2.0L) * erfcInverse(2 * p); }
D logGamma(D x) {
  int sign;
  return ::lgammal_r(x, &sign);
}

template <auto F> void both(RuntimeList &list, const char *single, const char *wide) {
  add<[](float x) { return static_cast<float>(F(x)); }, float, float>(list, single);
  add<[](double x) { return static_cast<double>(F(x)); }, double, double>(list, wide);
}
template <auto F> void ordered(RuntimeList &list, const char *single, const char *wide) {
  add<[](int32_t n, float x) { return static_cast<float>(F(n, x)); }, float, int32_t, float>(list, single);
  add<[](int32_t n, double x) { return static_cast<double>(F(n, x)); }, double, int32_t, double>(list, wide);
}
} // namespace

void addSpecial(RuntimeList &list) {
  both<[](D x) { return ::j0l(x); }>(list, "__nv_j0f", "__nv_j0");
  both<[](D x) { return ::j1l(x); }>(list, "__nv_j1f", "__nv_j1");
  both<[](D x) { return ::y0l(x); }>(list, "__nv_y0f", "__nv_y0");
  both<[](D x) { return ::y1l(x); }>(list, "__nv_y1f", "__nv_y1");
  ordered<[](int n, D x) { return ::jnl(n, x); }>(list, "__nv_jnf", "__nv_jn");
  ordered<[](int n, D x) { return ::ynl(n, x); }>(list, "__nv_ynf", "__nv_yn");
  both<besselI<0>>(list, "__nv_cyl_bessel_i0f", "__nv_cyl_bessel_i0");
  both<besselI<1>>(list, "__nv_cyl_bessel_i1f", "__nv_cyl_bessel_i1");
  both<logGamma>(list, "__nv_lgammaf", "__nv_lgamma");
  both<[](D x) { return std::tgamma(x); }>(list, "__nv_tgammaf", "__nv_tgamma");
  both<erfInverse>(list, "__nv_erfinvf", "__nv_erfinv");
  both<erfcInverse>(list, "__nv_erfcinvf", "__nv_erfcinv");
  both<normalInverse>(list, "__nv_normcdfinvf", "__nv_normcdfinv");
}

} // namespace trisect::cpu
