//===- ErrorFunction32.h - f32 erf ----------------------------------------------------------------------===//
//
// What: a polynomial about the nearest multiple of a quarter, whose coefficients each lane looks up, in f32
// arithmetic with explicit fused multiply-adds. Why many lanes at a time: they look up together.
// Limits: docs/functions.md fixes the steps, which compiled code takes too.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_NUMERICS_ERRORFUNCTION32_H
#define TRISECT_INTERP_NUMERICS_ERRORFUNCTION32_H

#include "core/support/ErfTable.h"
#include "interp/numerics/Fma.h"
#include "interp/numerics/SmallTable.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

constexpr int64_t erfLanes = 64;

/// erf of erfLanes numbers, in place; `x` is aligned as vectors are.
TRISECT_INLINE void erfF32(float *x) {
  constexpr float end = 0x1.effffep1f;         // below 31/8: from there on the result is 1
  constexpr float magicOfQuarters = 0x1.8p21f; // a number of this size has quarters in its last bit
  constexpr int powers = sizeof erfTable.more / sizeof *erfTable.more;
  alignas(64) float size[erfLanes], distance[erfLanes], sum[erfLanes], entry[erfLanes];
  alignas(64) int32_t interval[erfLanes];
  TRISECT_LOOP for (int64_t i = 0; i < erfLanes; ++i) {
    const float a = absolute(x[i]);
    size[i] = a > end ? end : a;
    interval[i] = static_cast<int32_t>(bitsOf(size[i] + magicOfQuarters) & 15);
  }
  lookUp(erfTable.point, interval, entry, erfLanes);
  TRISECT_LOOP for (int64_t i = 0; i < erfLanes; ++i) distance[i] = size[i] - entry[i];
  lookUp(erfTable.more[powers - 1], interval, sum, erfLanes);
  for (int power = powers - 2; power >= 0; --power) {
    lookUp(erfTable.more[power], interval, entry, erfLanes);
    TRISECT_LOOP for (int64_t i = 0; i < erfLanes; ++i) sum[i] =
        fusedMultiplyAdd(sum[i], distance[i], entry[i]);
  }
  lookUp(erfTable.value, interval, entry, erfLanes);
  TRISECT_LOOP for (int64_t i = 0; i < erfLanes; ++i) {
    const float there = size[i] < 0.375f ? size[i] : entry[i];
    x[i] = withSign(fusedMultiplyAdd(sum[i], distance[i], there), x[i]);
  }
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_NUMERICS_ERRORFUNCTION32_H
