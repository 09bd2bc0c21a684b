//===- DirectedCasts.cpp - libdevice conversions to and from integers in each rounding ------------------===//
//
// What: float to integer (rounded first, then saturating) and unsigned 64-bit integers to float, which no
// machine instruction converts under every rounding mode.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/kernels/libdevice/Lanes.h"
#include "interp/kernels/libdevice/Libdevice.h"
#include "interp/numerics/Rounding.h"
#include <string>

namespace trisect::interp {

namespace {
enum class Direction { Zero, Down, Up };

/// A 64-bit integer in T: cut to the bits of T, then one unit up if that is the direction.
template <class T, Direction D> T fromUnsigned(uint64_t x) {
  constexpr int precision = std::numeric_limits<T>::digits;
  const int extra = x == 0 ? 0 : 64 - __builtin_clzll(x) - precision;
  if (extra <= 0)
    return static_cast<T>(x);
  const uint64_t kept = x >> extra << extra;
  const T low = static_cast<T>(kept);
  return D == Direction::Up && kept != x ? low + static_cast<T>(uint64_t(1) << extra) : low;
}

template <class T, class I, auto Round>
void addToInteger(Registry &r, const std::string &stem, const char *suffix) {
  constexpr DType from = sizeof(T) == 4 ? DType::F32 : DType::F64;
  constexpr DType to = sizeof(I) == 4 ? DType::I32 : DType::I64;
  r.addExtern(("__nv_" + stem + suffix).c_str(), from, to,
              laneKernel<[](T x) { return toInteger<I>(Round(x)); }, I, T>);
}
template <class T, class I> void addRoundings(Registry &r, const std::string &stem) {
  addToInteger<T, I, [](T x) { return roundEven(x); }>(r, stem, "_rn");
  addToInteger<T, I, [](T x) { return roundDown(x); }>(r, stem, "_rd");
  addToInteger<T, I, [](T x) { return roundUp(x); }>(r, stem, "_ru");
}
template <class T> void addUnsigned(Registry &r, const std::string &stem) {
  constexpr DType to = sizeof(T) == 4 ? DType::F32 : DType::F64;
  r.addExtern((stem + "_rz").c_str(), DType::I64, to,
              laneKernel<fromUnsigned<T, Direction::Zero>, T, uint64_t>);
  r.addExtern((stem + "_rd").c_str(), DType::I64, to,
              laneKernel<fromUnsigned<T, Direction::Down>, T, uint64_t>);
  r.addExtern((stem + "_ru").c_str(), DType::I64, to,
              laneKernel<fromUnsigned<T, Direction::Up>, T, uint64_t>);
}
} // namespace

void addLibdeviceDirectedCasts(Registry &r) {
  addRoundings<float, int32_t>(r, "float2int");
  addRoundings<float, uint32_t>(r, "float2uint");
  addRoundings<float, int64_t>(r, "float2ll");
  addRoundings<float, uint64_t>(r, "float2ull");
  addRoundings<double, int32_t>(r, "double2int");
  addRoundings<double, uint32_t>(r, "double2uint");
  addRoundings<double, int64_t>(r, "double2ll");
  addRoundings<double, uint64_t>(r, "double2ull");
  addUnsigned<float>(r, "__nv_ull2float");
  addUnsigned<double>(r, "__nv_ull2double");
}

} // namespace trisect::interp
