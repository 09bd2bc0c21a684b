//===- Special.cpp - Bessel, gamma and inverse error functions ------------------------------------------===//
//
// What: the C library's Bessel and gamma functions; modified Bessel functions and inverse error functions
// written here, in double. f32 results are rounded from double. Those with zeros other than 0 are taken in
// long double: in double they are right absolutely near them, not relatively, and what another tier has would
// count as different. Limits: stated ULP in docs/numerics.md.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/kernels/libdevice/Lanes.h"
#include "interp/kernels/libdevice/Libdevice.h"
#include <cmath>
#include <limits>
#include <math.h>

namespace trisect::interp {

namespace {
constexpr double inf = std::numeric_limits<double>::infinity();

/// The modified Bessel function of order 0 or 1, scaled by e^-|x| beyond 30: sum of positive terms below, the
/// asymptotic series above.
double besselI(int order, double x) {
  const double a = std::abs(x);
  double result;
  if (a <= 30) {
    const double quarter = a * a / 4;
    double term = order ? a / 2 : 1, sum = 0;
    for (int k = 1; term > sum * 1e-18; ++k) {
      sum += term;
      term *= quarter / (double(k) * (k + order));
    }
    result = sum;
  } else if (a > 720) { // greater than any number
    result = inf;
  } else {
    const double mu = 4.0 * order * order;
    double term = 1, sum = 1;
    for (int k = 1; k < 40 && std::abs(term) > 1e-18; ++k) {
      const double odd = 2 * k - 1;
      term *= -(mu - odd * odd) / (k * 8 * a);
      sum += term;
    }
    // e^a alone overflows before the function does.
    const double half = std::exp(a / 2);
    result = half / std::sqrt(2 * M_PI * a) * sum * half;
  }
  if (std::isnan(x))
    return x;
  return order && x < 0 ? -result : result;
}
double besselI0(double x) { return besselI(0, x); }
double besselI1(double x) { return besselI(1, x); }

/// One Halley step for f(y) = c, where f' = slope * 2 / sqrt(pi) * e^(-y^2).
double halley(double y, double error, double slope) {
  const double u = error / (slope * M_2_SQRTPI * std::exp(-y * y));
  return y - u / (1 + y * u);
}

/// y >= 0 with erfc y = c, for 0 < c <= 1/2.
double erfcInverseTail(double c) {
  const double t = std::sqrt(-2 * (std::log(c) - M_LN2));
  double y = (t - (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481))) * M_SQRT1_2;
  // Beyond, erfc y has too few bits: Newton's method on its logarithm.
  if (c < 1e-280) {
    for (int step = 0; step < 5; ++step) {
      const double scaled = erfcxOfLarge(y);
      y += (std::log(scaled) - y * y - std::log(c)) * scaled * (std::sqrt(M_PI) / 2);
    }
    return y;
  }
  for (int step = 0; step < 3; ++step)
    y = halley(y, std::erfc(y) - c, -1);
  return y;
}
double erfInverse(double x) {
  const double a = std::abs(x);
  if (!(a < 1))
    return a == 1 ? x * inf : std::numeric_limits<double>::quiet_NaN();
  double y;
  if (a > 0.5) {
    y = erfcInverseTail(1 - a);
  } else {
    y = a * (std::sqrt(M_PI) / 2) * (1 + a * a * (M_PI / 12));
    for (int step = 0; step < 3; ++step)
      y = halley(y, std::erf(y) - a, 1);
  }
  return std::copysign(y, x);
}
double erfcInverse(double c) {
  if (!(c >= 0 && c <= 2))
    return std::numeric_limits<double>::quiet_NaN();
  if (c == 0 || c == 2)
    return c == 0 ? inf : -inf;
  if (c <= 0.5)
    return erfcInverseTail(c);
  return c >= 1.5 ? -erfcInverseTail(2 - c) : erfInverse(1 - c);
}
double normalInverse(double p) { return -M_SQRT2 * erfcInverse(2 * p); }
double logGamma(double x) {
  int sign;
  return double(::lgammal_r(x, &sign));
}

template <auto F> void addBoth(Registry &r, const char *single, const char *wide) {
  r.addExtern(single, DType::F32, DType::F32,
              laneKernel<[](float x) { return float(F(double(x))); }, float, float>);
  r.addExtern(wide, DType::F64, DType::F64, laneKernel<F, double, double>);
}
/// Functions of an integer order and a float.
template <auto F> void addOrdered(Registry &r, const char *single, const char *wide) {
  r.addExtern(single, DType::I32, DType::F32,
              laneKernel<[](int32_t n, float x) { return float(F(n, double(x))); }, float, int32_t, float>);
  r.addExtern(wide, DType::I32, DType::F64, laneKernel<F, double, int32_t, double>);
}
} // namespace

void addLibdeviceSpecial(Registry &r) {
  addBoth<[](double x) { return double(::j0l(x)); }>(r, "__nv_j0f", "__nv_j0");
  addBoth<[](double x) { return double(::j1l(x)); }>(r, "__nv_j1f", "__nv_j1");
  addBoth<[](double x) { return double(::y0l(x)); }>(r, "__nv_y0f", "__nv_y0");
  addBoth<[](double x) { return double(::y1l(x)); }>(r, "__nv_y1f", "__nv_y1");
  addOrdered<[](int32_t n, double x) { return double(::jnl(n, x)); }>(r, "__nv_jnf", "__nv_jn");
  addOrdered<[](int32_t n, double x) { return double(::ynl(n, x)); }>(r, "__nv_ynf", "__nv_yn");
  addBoth<besselI0>(r, "__nv_cyl_bessel_i0f", "__nv_cyl_bessel_i0");
  addBoth<besselI1>(r, "__nv_cyl_bessel_i1f", "__nv_cyl_bessel_i1");
  addBoth<logGamma>(r, "__nv_lgammaf", "__nv_lgamma");
  addBoth<[](double x) { return ::tgamma(x); }>(r, "__nv_tgammaf", "__nv_tgamma");
  addBoth<erfInverse>(r, "__nv_erfinvf", "__nv_erfinv");
  addBoth<erfcInverse>(r, "__nv_erfcinvf", "__nv_erfcinv");
  addBoth<normalInverse>(r, "__nv_normcdfinvf", "__nv_normcdfinv");
}

} // namespace trisect::interp
