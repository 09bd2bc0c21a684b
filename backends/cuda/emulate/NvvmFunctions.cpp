//===- NvvmFunctions.cpp - instructions that libdevice uses, on the host --------------------------------===//
//
// What: directed arithmetic, conversions and approximations of `llvm.nvvm.*` as host functions, so that the
// emulator runs the very functions that the device runs. Limits: forms that flush subnormals (`ftz`) keep
// them; the reflect flags choose such a form only where the function has no other.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emulate/Functions.h"
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>
#include <string>

namespace trisect::cuda {

namespace {
/// Rounds in one direction within a scope.
class Direction {
public:
  explicit Direction(int mode) : before(std::fegetround()) { std::fesetround(mode); }
  ~Direction() { std::fesetround(before); }

private:
  int before;
};

// What the optimiser must not move out of the scope goes through volatile.
template <int Mode, class T> T add(T x, T y) {
  Direction direction(Mode);
  volatile T a = x, b = y, sum = a + b;
  return sum;
}
template <int Mode, class T> T sub(T x, T y) {
  Direction direction(Mode);
  volatile T a = x, b = y, difference = a - b;
  return difference;
}
template <int Mode, class T> T mul(T x, T y) {
  Direction direction(Mode);
  volatile T a = x, b = y, product = a * b;
  return product;
}
template <int Mode, class T> T div(T x, T y) {
  Direction direction(Mode);
  volatile T a = x, b = y, quotient = a / b;
  return quotient;
}
template <int Mode, class T> T fma(T x, T y, T z) {
  Direction direction(Mode);
  volatile T a = x, b = y, c = z, sum = std::fma(a, b, c);
  return sum;
}
template <int Mode, class T> T rcp(T x) { return div<Mode, T>(1, x); }
template <int Mode, class T> T sqrt(T x) {
  Direction direction(Mode);
  volatile T a = x, root = std::sqrt(a);
  return root;
}
template <int Mode, class To, class From> To toFloat(From x) {
  Direction direction(Mode);
  volatile From a = x;
  volatile To result = static_cast<To>(a);
  return result;
}
template <int Mode, class To, class From> To toInteger(From x) {
  if (std::isnan(x))
    return 0;
  Direction direction(Mode);
  volatile From a = x;
  From whole = std::nearbyint(a);
  // The limits as floats; the upper one may be rounded up to 2^n.
  auto low = static_cast<From>(std::numeric_limits<To>::min());
  if (whole <= low)
    return std::numeric_limits<To>::min();
  if (whole >= std::ldexp(From(1), std::numeric_limits<To>::digits))
    return std::numeric_limits<To>::max();
  return static_cast<To>(whole);
}

float exp2Approx(float x) { return std::exp2(x); }
float log2Approx(float x) { return std::log2(x); }
float sinApprox(float x) { return std::sin(x); }
float cosApprox(float x) { return std::cos(x); }
float tanhApprox(float x) { return std::tanh(x); }
float divApprox(float x, float y) { return x / y; }
float sqrtApprox(float x) { return std::sqrt(x); }
float rsqrtApprox(float x) { return static_cast<float>(1 / std::sqrt(static_cast<double>(x))); }
double rsqrtApproxDouble(double x) { return 1 / std::sqrt(x); }
float rcpApprox(float x) { return 1 / x; }
double rcpApproxDouble(double x) { return 1 / x; }
float saturate(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }
float fabsFloat(float x) { return std::fabs(x); }
double fabsDouble(double x) { return std::fabs(x); }
float ceilFloat(float x) { return std::ceil(x); }
double ceilDouble(double x) { return std::ceil(x); }
float floorFloat(float x) { return std::floor(x); }
double floorDouble(double x) { return std::floor(x); }
float truncFloat(float x) { return std::trunc(x); }
double truncDouble(double x) { return std::trunc(x); }
float roundFloat(float x) { return std::nearbyint(x); }
double roundDouble(double x) { return std::nearbyint(x); }
float minFloat(float x, float y) { return std::fmin(x, y); }
float maxFloat(float x, float y) { return std::fmax(x, y); }
double minDouble(double x, double y) { return std::fmin(x, y); }
double maxDouble(double x, double y) { return std::fmax(x, y); }
int32_t highWord(double x) { return static_cast<int32_t>(std::bit_cast<uint64_t>(x) >> 32); }
int32_t lowWord(double x) { return static_cast<int32_t>(std::bit_cast<uint64_t>(x)); }
double fromWords(int32_t low, int32_t high) {
  return std::bit_cast<double>(uint64_t(uint32_t(high)) << 32 | uint32_t(low));
}
int32_t highProduct(int32_t x, int32_t y) { return static_cast<int32_t>(int64_t(x) * y >> 32); }
uint32_t highProductUnsigned(uint32_t x, uint32_t y) { return static_cast<uint32_t>(uint64_t(x) * y >> 32); }
uint64_t highProductWide(uint64_t x, uint64_t y) {
  uint64_t low = uint64_t(uint32_t(x)) * uint32_t(y), first = (x >> 32) * uint32_t(y) + (low >> 32);
  uint64_t second = uint64_t(uint32_t(x)) * (y >> 32) + uint32_t(first);
  return (x >> 32) * (y >> 32) + (first >> 32) + (second >> 32);
}
int64_t highProductSigned(int64_t x, int64_t y) {
  uint64_t high = highProductWide(static_cast<uint64_t>(x), static_cast<uint64_t>(y));
  return static_cast<int64_t>(high - (x < 0 ? uint64_t(y) : 0) - (y < 0 ? uint64_t(x) : 0));
}
uint32_t absoluteDifference(int32_t x, int32_t y, uint32_t z) {
  return z + static_cast<uint32_t>(x > y ? int64_t(x) - y : int64_t(y) - x);
}
uint32_t absoluteDifferenceUnsigned(uint32_t x, uint32_t y, uint32_t z) {
  return z + (x > y ? x - y : y - x);
}
// Four bytes of the eight in y:x, as the nibbles of `selector` say.
uint32_t permute(uint32_t x, uint32_t y, uint32_t selector) {
  uint64_t bytes = uint64_t(y) << 32 | x;
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    uint32_t pick = selector >> (4 * i) & 15;
    uint32_t byte = bytes >> (8 * (pick & 7)) & 0xff;
    if (pick & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

struct Entry {
  std::string_view name;
  void *address;
};
template <class F> void *at(F *function) { return reinterpret_cast<void *>(function); }

#define TRISECT_MODES(FORM)                                                                                  \
  FORM("rn", FE_TONEAREST) FORM("rz", FE_TOWARDZERO) FORM("rm", FE_DOWNWARD) FORM("rp", FE_UPWARD)

const Entry table[] = {
#define TRISECT_ARITHMETIC(mode, how)                                                                        \
  {"add." mode ".f", at(add<how, float>)}, {"add." mode ".d", at(add<how, double>)},                         \
      {"sub." mode ".f", at(sub<how, float>)}, {"sub." mode ".d", at(sub<how, double>)},                     \
      {"mul." mode ".f", at(mul<how, float>)}, {"mul." mode ".d", at(mul<how, double>)},                     \
      {"div." mode ".f", at(div<how, float>)}, {"div." mode ".d", at(div<how, double>)},                     \
      {"fma." mode ".f", at(fma<how, float>)}, {"fma." mode ".d", at(fma<how, double>)},                     \
      {"rcp." mode ".f", at(rcp<how, float>)}, {"rcp." mode ".d", at(rcp<how, double>)},                     \
      {"sqrt." mode ".f", at(sqrt<how, float>)}, {"sqrt." mode ".d", at(sqrt<how, double>)},
    TRISECT_MODES(TRISECT_ARITHMETIC)
#undef TRISECT_ARITHMETIC
#define TRISECT_CONVERSIONS(mode, how)                                                                       \
  {"d2f." mode, at(toFloat<how, float, double>)}, {"i2f." mode, at(toFloat<how, float, int32_t>)},           \
      {"ui2f." mode, at(toFloat<how, float, uint32_t>)}, {"ll2f." mode, at(toFloat<how, float, int64_t>)},   \
      {"ull2f." mode, at(toFloat<how, float, uint64_t>)}, {"i2d." mode, at(toFloat<how, double, int32_t>)},  \
      {"ui2d." mode, at(toFloat<how, double, uint32_t>)}, {"ll2d." mode, at(toFloat<how, double, int64_t>)}, \
      {"ull2d." mode, at(toFloat<how, double, uint64_t>)},                                                   \
      {"f2i." mode, at(toInteger<how, int32_t, float>)},                                                     \
      {"f2ui." mode, at(toInteger<how, uint32_t, float>)},                                                   \
      {"f2ll." mode, at(toInteger<how, int64_t, float>)},                                                    \
      {"f2ull." mode, at(toInteger<how, uint64_t, float>)},                                                  \
      {"d2i." mode, at(toInteger<how, int32_t, double>)},                                                    \
      {"d2ui." mode, at(toInteger<how, uint32_t, double>)},                                                  \
      {"d2ll." mode, at(toInteger<how, int64_t, double>)},                                                   \
      {"d2ull." mode, at(toInteger<how, uint64_t, double>)},
        TRISECT_MODES(TRISECT_CONVERSIONS)
#undef TRISECT_CONVERSIONS
#define TRISECT_APPROXIMATION(name, function) {name ".f", at(function)},
            TRISECT_APPROXIMATION("ex2.approx", exp2Approx) TRISECT_APPROXIMATION("lg2.approx", log2Approx)
                TRISECT_APPROXIMATION("sin.approx", sinApprox) TRISECT_APPROXIMATION("cos.approx", cosApprox)
                    TRISECT_APPROXIMATION("div.approx", divApprox)
                        TRISECT_APPROXIMATION("sqrt.approx", sqrtApprox)
                            TRISECT_APPROXIMATION("rsqrt.approx", rsqrtApprox)
                                TRISECT_APPROXIMATION("saturate", saturate)
#undef TRISECT_APPROXIMATION
                                    {"tanh.approx.f32", at(tanhApprox)},
    {"rsqrt.approx.d", at(rsqrtApproxDouble)},
    {"rcp.approx.f", at(rcpApprox)},
    {"rcp.approx.d", at(rcpApproxDouble)},
    {"fabs.f", at(fabsFloat)},
    {"fabs.d", at(fabsDouble)},
    {"ceil.f", at(ceilFloat)},
    {"ceil.d", at(ceilDouble)},
    {"floor.f", at(floorFloat)},
    {"floor.d", at(floorDouble)},
    {"trunc.f", at(truncFloat)},
    {"trunc.d", at(truncDouble)},
    {"round.f", at(roundFloat)},
    {"round.d", at(roundDouble)},
    {"fmin.f", at(minFloat)},
    {"fmax.f", at(maxFloat)},
    {"fmin.d", at(minDouble)},
    {"fmax.d", at(maxDouble)},
    {"d2i.hi", at(highWord)},
    {"d2i.lo", at(lowWord)},
    {"lohi.i2d", at(fromWords)},
    {"mulhi.i", at(highProduct)},
    {"mulhi.ui", at(highProductUnsigned)},
    {"mulhi.ll", at(highProductSigned)},
    {"mulhi.ull", at(highProductWide)},
    {"sad.i", at(absoluteDifference)},
    {"sad.ui", at(absoluteDifferenceUnsigned)},
    {"prmt", at(permute)},
};
#undef TRISECT_MODES
} // namespace

void *nvvmFunction(std::string_view intrinsic) {
  constexpr std::string_view prefix = "llvm.nvvm.";
  if (!intrinsic.starts_with(prefix))
    return nullptr;
  std::string name(intrinsic.substr(prefix.size()));
  if (size_t flush = name.find(".ftz"); flush != std::string::npos)
    name.erase(flush, 4);
  for (const Entry &entry : table)
    if (entry.name == name)
      return entry.address;
  return nullptr;
}

} // namespace trisect::cuda
