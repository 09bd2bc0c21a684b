//===- Directed.cpp - libdevice arithmetic rounded towards zero, down or up -----------------------------===//
//
// What: runs the operation under the machine's rounding mode, which is put back afterwards.
// Limits: compiled so that the compiler knows of rounding modes; lane by lane.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/kernels/libdevice/Lanes.h"
#include "interp/kernels/libdevice/Libdevice.h"
#include <cfenv>
#include <cmath>
#include <string>

#pragma STDC FENV_ACCESS ON

namespace trisect::interp {

namespace {
/// The rounding mode of a scope.
class Rounding {
public:
  explicit Rounding(int mode) : before(std::fegetround()) { std::fesetround(mode); }
  ~Rounding() { std::fesetround(before); }

private:
  int before;
};

template <int Mode, auto F, class R, class... A>
void underMode(void *result, const Strip *operands, int64_t n, uint64_t) {
  const Rounding mode(Mode);
  runLanes<F, R, A...>(result, operands, n, std::index_sequence_for<A...>());
}

template <int Mode, class T>
void addArithmetic(Registry &r, const std::string &prefix, const std::string &suffix) {
  constexpr DType type = sizeof(T) == 4 ? DType::F32 : DType::F64;
  auto add = [&](const char *stem, ElementwiseFn fn) {
    r.addExtern(("__nv_" + prefix + stem + suffix).c_str(), type, type, fn);
  };
  add("add", underMode<Mode, [](T a, T b) { return a + b; }, T, T, T>);
  add("sub", underMode<Mode, [](T a, T b) { return a - b; }, T, T, T>);
  add("mul", underMode<Mode, [](T a, T b) { return a * b; }, T, T, T>);
  add("div", underMode<Mode, [](T a, T b) { return a / b; }, T, T, T>);
  add("rcp", underMode<Mode, [](T a) { return 1 / a; }, T, T>);
  add("sqrt", underMode<Mode, [](T a) { return std::sqrt(a); }, T, T>);
}

template <int Mode> void addMode(Registry &r, const std::string &suffix) {
  addArithmetic<Mode, float>(r, "f", suffix);
  addArithmetic<Mode, double>(r, "d", suffix);
  r.addExtern(("__nv_fmaf" + suffix).c_str(), DType::F32, DType::F32,
              underMode<Mode, [](float a, float b, float c) { return std::fma(a, b, c); }, float, float,
                        float, float>);
  r.addExtern(("__nv_fma" + suffix).c_str(), DType::F64, DType::F64,
              underMode<Mode, [](double a, double b, double c) { return std::fma(a, b, c); }, double, double,
                        double, double>);
  auto cast = [&](const char *stem, DType from, DType to, ElementwiseFn fn) {
    r.addExtern((std::string("__nv_") + stem + suffix).c_str(), from, to, fn);
  };
  constexpr DType i32 = DType::I32, i64 = DType::I64, f32 = DType::F32, f64 = DType::F64;
  cast("double2float", f64, f32, underMode<Mode, [](double x) { return float(x); }, float, double>);
  cast("int2float", i32, f32, underMode<Mode, [](int32_t x) { return float(x); }, float, int32_t>);
  cast("uint2float", i32, f32,
       underMode<Mode, [](uint32_t x) { return float(int64_t(x)); }, float, uint32_t>);
  cast("ll2float", i64, f32, underMode<Mode, [](int64_t x) { return float(x); }, float, int64_t>);
  cast("ll2double", i64, f64, underMode<Mode, [](int64_t x) { return double(x); }, double, int64_t>);
}
} // namespace

void addLibdeviceDirected(Registry &registry) {
  addMode<FE_TOWARDZERO>(registry, "_rz");
  addMode<FE_DOWNWARD>(registry, "_rd");
  addMode<FE_UPWARD>(registry, "_ru");
}

} // namespace trisect::interp
