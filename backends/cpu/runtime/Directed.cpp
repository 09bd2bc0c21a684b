//===- Directed.cpp - libdevice functions rounded towards zero, down or up ------------------------------===//
//
// What: arithmetic under the machine's rounding mode, which is put back afterwards, and conversions between
// floats and integers in each direction. Limits: compiled so that the compiler knows of rounding modes.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/runtime/Function.h"
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>
#include <memory>
#include <string>

#pragma STDC FENV_ACCESS ON

namespace trisect::cpu {

namespace {

const char *keep(std::string name) {
  // Symbols live as long as the process.
  static auto *names = new std::vector<std::unique_ptr<std::string>>;
  return names->emplace_back(std::make_unique<std::string>(std::move(name)))->c_str();
}

template <int Mode, auto F, class R, class... A>
void under(void *result, const void *a, const void *b, const void *c, const void *d, int64_t lanes) {
  int before = std::fegetround();
  std::fesetround(Mode);
  onLanes<F, R, A...>(result, a, b, c, d, lanes);
  std::fesetround(before);
}

template <int Mode> class Adder {
public:
  Adder(RuntimeList &list, const char *suffix) : list(list), suffix(suffix) {}

  void run() {
    arithmetic<float>("f", "fmaf");
    arithmetic<double>("d", "fma");
    one<[](double x) { return static_cast<float>(x); }, float, double>("double2float");
    one<[](int32_t x) { return static_cast<float>(x); }, float, int32_t>("int2float");
    one<[](uint32_t x) { return static_cast<float>(static_cast<int64_t>(x)); }, float, uint32_t>(
        "uint2float");
    one<[](int64_t x) { return static_cast<float>(x); }, float, int64_t>("ll2float");
    one<[](int64_t x) { return static_cast<double>(x); }, double, int64_t>("ll2double");
  }

private:
  template <auto F, class R, class... A> void one(const std::string &stem) {
    list.push_back({keep("__nv_" + stem + suffix), sizeof...(A), under<Mode, F, R, A...>});
  }
  template <class T> void arithmetic(const std::string &prefix, const char *fma) {
    one<[](T a, T b) { return a + b; }, T, T, T>(prefix + "add");
    one<[](T a, T b) { return a - b; }, T, T, T>(prefix + "sub");
    one<[](T a, T b) { return a * b; }, T, T, T>(prefix + "mul");
    one<[](T a, T b) { return a / b; }, T, T, T>(prefix + "div");
    one<[](T a) { return 1 / a; }, T, T>(prefix + "rcp");
    one<[](T a) { return std::sqrt(a); }, T, T>(prefix + "sqrt");
    one<[](T a, T b, T c) { return std::fma(a, b, c); }, T, T, T, T>(fma);
  }

  RuntimeList &list;
  const char *suffix;
};

/// A whole number of T as an integer, saturating; NaN gives 0.
template <class I, class T> I saturated(T x) {
  if (std::isnan(x))
    return 0;
  // One above the largest number, a power of two, is exact in T.
  T above = std::ldexp(T(1), std::numeric_limits<I>::digits);
  if (x >= above)
    return std::numeric_limits<I>::max();
  if (x < static_cast<T>(std::numeric_limits<I>::min()))
    return std::numeric_limits<I>::min();
  return static_cast<I>(x);
}

template <class T, class I> void addRoundings(RuntimeList &list, const std::string &stem) {
  auto put = [&](const char *suffix, LaneFunction call) {
    list.push_back({keep("__nv_" + stem + suffix), 1, call});
  };
  put("_rn", onLanes<[](T x) { return saturated<I>(std::nearbyint(x)); }, I, T>);
  put("_rd", onLanes<[](T x) { return saturated<I>(std::floor(x)); }, I, T>);
  put("_ru", onLanes<[](T x) { return saturated<I>(std::ceil(x)); }, I, T>);
}

// An unsigned word cut to the digits of T; the rest is added as one unit where that is the direction.
template <class T, bool Up> T fromWord(uint64_t x) {
  int extra = static_cast<int>(std::bit_width(x)) - std::numeric_limits<T>::digits;
  if (extra <= 0)
    return static_cast<T>(x);
  uint64_t cut = x >> extra;
  bool more = Up && (cut << extra) != x;
  return std::ldexp(static_cast<T>(cut + more), extra);
}
template <class T> void addFromWord(RuntimeList &list, const std::string &stem) {
  list.push_back({keep(stem + "_rz"), 1, onLanes<fromWord<T, false>, T, uint64_t>});
  list.push_back({keep(stem + "_rd"), 1, onLanes<fromWord<T, false>, T, uint64_t>});
  list.push_back({keep(stem + "_ru"), 1, onLanes<fromWord<T, true>, T, uint64_t>});
}

} // namespace

void addDirected(RuntimeList &list) {
  Adder<FE_TOWARDZERO>(list, "_rz").run();
  Adder<FE_DOWNWARD>(list, "_rd").run();
  Adder<FE_UPWARD>(list, "_ru").run();
  addRoundings<float, int32_t>(list, "float2int");
  addRoundings<float, uint32_t>(list, "float2uint");
  addRoundings<float, int64_t>(list, "float2ll");
  addRoundings<float, uint64_t>(list, "float2ull");
  addRoundings<double, int32_t>(list, "double2int");
  addRoundings<double, uint32_t>(list, "double2uint");
  addRoundings<double, int64_t>(list, "double2ll");
  addRoundings<double, uint64_t>(list, "double2ull");
  addFromWord<float>(list, "__nv_ull2float");
  addFromWord<double>(list, "__nv_ull2double");
}

} // namespace trisect::cpu
