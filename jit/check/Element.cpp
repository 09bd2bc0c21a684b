//===- Element.cpp - one element of memory --------------------------------------------------------------===//
#include "jit/check/Element.h"
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace trisect::jit {

namespace {
/// How the bits of a format divide.
struct Format {
  unsigned bits, mantissa;
  int bias;
  bool infinities;
  bool unsignedZero; ///< the pattern of negative zero is the only NaN
};

Format formatOf(DType type) {
  switch (type) {
  case DType::F64:
    return {64, 52, 1023, true, false};
  case DType::F32:
    return {32, 23, 127, true, false};
  case DType::F16:
    return {16, 10, 15, true, false};
  case DType::BF16:
    return {16, 7, 127, true, false};
  case DType::F8E5M2:
    return {8, 2, 15, true, false};
  case DType::F8E4M3FN:
    return {8, 3, 7, false, false};
  case DType::F8E5M2FNUZ:
    return {8, 2, 16, false, true};
  default:
    return {8, 3, 8, false, true};
  }
}

uint64_t signBit(const Format &format) { return uint64_t(1) << (format.bits - 1); }
uint64_t magnitude(uint64_t bits, const Format &format) { return bits & (signBit(format) - 1); }
uint64_t topExponent(const Format &format) {
  return (signBit(format) - 1) & ~((uint64_t(1) << format.mantissa) - 1);
}

bool isInfinite(uint64_t bits, const Format &format) {
  return format.infinities && magnitude(bits, format) == topExponent(format);
}

double valueOf(uint64_t bits, const Format &format) {
  uint64_t mantissa = bits & ((uint64_t(1) << format.mantissa) - 1);
  int exponent = static_cast<int>(magnitude(bits, format) >> format.mantissa);
  double scale = exponent ? std::ldexp(1.0, exponent - format.bias) : std::ldexp(1.0, 1 - format.bias);
  double fraction = std::ldexp(static_cast<double>(mantissa), -static_cast<int>(format.mantissa));
  double value = scale * (fraction + (exponent ? 1 : 0));
  return bits & signBit(format) ? -value : value;
}
} // namespace

uint64_t readBits(const void *address, DType type) {
  uint64_t bits = 0;
  std::memcpy(&bits, address, byteSize(type));
  return bits;
}

bool isNan(uint64_t bits, DType type) {
  if (!isFloat(type))
    return false;
  Format format = formatOf(type);
  if (format.unsignedZero)
    return bits == signBit(format);
  if (!format.infinities)
    return magnitude(bits, format) == signBit(format) - 1;
  return magnitude(bits, format) > topExponent(format);
}

std::optional<uint64_t> ulpDistance(uint64_t a, uint64_t b, DType type) {
  if (!isFloat(type) || isNan(a, type) || isNan(b, type))
    return std::nullopt;
  Format format = formatOf(type);
  if (isInfinite(a, format) != isInfinite(b, format))
    return std::nullopt;
  uint64_t x = magnitude(a, format), y = magnitude(b, format);
  bool sameSign = (a & signBit(format)) == (b & signBit(format));
  return sameSign ? (x > y ? x - y : y - x) : x + y;
}

std::string elementText(uint64_t bits, DType type, bool isSigned) {
  char text[64];
  if (!isFloat(type)) {
    unsigned shift = 64 - 8 * byteSize(type);
    int64_t value = static_cast<int64_t>(bits << shift) >> shift;
    uint64_t unsignedValue = bits << shift >> shift;
    if (type != DType::Ptr)
      return isSigned ? std::to_string(value) : std::to_string(unsignedValue);
    std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(unsignedValue));
    return text;
  }
  if (isNan(bits, type))
    return "nan";
  Format format = formatOf(type);
  if (isInfinite(bits, format))
    return bits & signBit(format) ? "-inf" : "inf";
  double value = type == DType::F64 ? std::bit_cast<double>(bits) : valueOf(bits, format);
  std::snprintf(text, sizeof(text), type == DType::F64 ? "%.17g" : "%.9g", value);
  return text;
}

} // namespace trisect::jit
