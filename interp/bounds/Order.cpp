//===- Order.cpp - ranks of sign-magnitude formats ------------------------------------------------------===//
#include "interp/bounds/Order.h"
#include <algorithm>

namespace trisect::interp {

namespace {

/// Magnitude of the greatest number or infinity; everything above it is NaN.
uint64_t greatest(DType type) {
  switch (type) {
  case DType::F64:
    return 0x7ff0000000000000;
  case DType::F32:
    return 0x7f800000;
  case DType::F16:
    return 0x7c00;
  case DType::BF16:
    return 0x7f80;
  case DType::F8E5M2:
    return 0x7c;
  case DType::F8E4M3FN:
    return 0x7e;
  default: // FNUZ: one pattern is NaN, that of negative zero
    return 0x7f;
  }
}

bool lacksNegativeZero(DType type) { return type == DType::F8E5M2FNUZ || type == DType::F8E4M3FNUZ; }

uint64_t signBit(DType type) { return uint64_t(1) << (bitWidth(type) - 1); }

} // namespace

bool isNan(uint64_t bits, DType type) {
  if (!isFloat(type))
    return false;
  if (lacksNegativeZero(type))
    return bits == signBit(type);
  return (bits & (signBit(type) - 1)) > greatest(type);
}

int64_t rankOf(uint64_t bits, DType type) {
  unsigned width = bitWidth(type);
  if (type == DType::I1)
    return bits & 1;
  if (!isFloat(type))
    return static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
  auto magnitude = static_cast<int64_t>(bits & (signBit(type) - 1));
  return bits & signBit(type) ? -magnitude - 1 : magnitude;
}

uint64_t bitsOfRank(int64_t rank, DType type) {
  unsigned width = bitWidth(type);
  if (!isFloat(type)) {
    auto bits = static_cast<uint64_t>(rank);
    return width == 64 ? bits : type == DType::I4 ? bits & 0xff : bits & ((uint64_t(1) << width) - 1);
  }
  if (rank >= 0)
    return static_cast<uint64_t>(rank);
  auto magnitude = static_cast<uint64_t>(-(rank + 1));
  return magnitude == 0 && lacksNegativeZero(type) ? 0 : magnitude | signBit(type);
}

int64_t highestRank(DType type) {
  if (type == DType::I1)
    return 1;
  if (!isFloat(type))
    return static_cast<int64_t>(~uint64_t(0) >> (65 - bitWidth(type)));
  return static_cast<int64_t>(greatest(type));
}

int64_t lowestRank(DType type) { return type == DType::I1 ? 0 : -highestRank(type) - 1; }

uint64_t shifted(uint64_t bits, DType type, int64_t ulps) {
  int64_t rank = rankOf(bits, type), low = lowestRank(type), high = highestRank(type);
  int64_t moved = 0;
  if (__builtin_add_overflow(rank, ulps, &moved))
    moved = ulps < 0 ? low : high;
  return bitsOfRank(std::clamp(moved, low, high), type);
}

} // namespace trisect::interp
