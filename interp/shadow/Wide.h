//===- Wide.h - exact integers of any type --------------------------------------------------------------===//
//
// What: integers wide enough for exact sums and products of two elements, the range of a type, and an element
// as a number. Why: what wraps around is found by comparing with the exact result.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_SHADOW_WIDE_H
#define TRISECT_INTERP_SHADOW_WIDE_H

#include "interp/exec/Instance.h"
#include <cstring>

namespace trisect::interp {

using Wide = __int128;

struct Range {
  Wide low, high;
  bool holds(Wide value) const { return value >= low && value <= high; }
};

inline Range rangeOf(DType type) {
  Wide half = Wide(1) << (bitWidth(type) - 1);
  return {-half, half - 1};
}

/// Lane of a strip.
inline int64_t laneOf(Strip strip, DType type, int64_t lane) {
  uint64_t bits = 0;
  unsigned size = byteSize(type);
  std::memcpy(&bits, static_cast<const char *>(strip.data) + (strip.splat ? 0 : lane * size), size);
  return signedBits(bits, type);
}

} // namespace trisect::interp

#endif // TRISECT_INTERP_SHADOW_WIDE_H
