//===- Tf32.h - the reduced precisions of f32 matrix products -------------------------------------------===//
//
// What: f32 rounded to tf32 (10 mantissa bits, nearest, ties away, as `cvt.rna.tf32`), and f32 split into
// bf16 terms whose sum is close to it. Limits: infinity and NaN have no remainder: it is 0.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_NUMERICS_TF32_H
#define TRISECT_INTERP_NUMERICS_TF32_H

#include "interp/numerics/Float16.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

TRISECT_INLINE float roundToTf32(float x) {
  const uint32_t bits = bitsOf(x);
  const uint32_t rounded = (bits + 0x1000u) & 0xffffe000u;
  return (bits & 0x7f800000u) == 0x7f800000u ? x : floatOf(rounded);
}
TRISECT_INLINE float roundToBf16(float x) { return bf16ToFloat(floatToBf16(x)); }

/// What a rounding left, exact; 0 where the value is not finite.
TRISECT_INLINE float remainderOf(float x, float rounded) {
  const bool finite = (bitsOf(rounded) & 0x7f800000u) != 0x7f800000u;
  return finite ? x - rounded : 0.0f;
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_NUMERICS_TF32_H
