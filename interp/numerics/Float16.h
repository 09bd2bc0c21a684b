//===- Float16.h - f16 and bf16 to and from f32 ---------------------------------------------------------===//
//
// What: exact widening, narrowing to nearest (ties to even) and towards zero.
// Why: arithmetic on 16-bit floats is f32 arithmetic rounded once (24 >= 2 * 11 + 2 bits make that exact);
// the conversions are most of its cost. Limits: a signalling NaN becomes quiet, its sign and leading payload
// bits stay, as hardware does it.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_NUMERICS_FLOAT16_H
#define TRISECT_INTERP_NUMERICS_FLOAT16_H

#include "interp/numerics/Bits.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

#if defined(__F16C__)
/// Zero, which the compiler must not know: it would turn f32 operations between two conversions into
/// operations on _Float16, for which it has no vectors.
extern const uint32_t unknownZero;
#endif

TRISECT_INLINE float f16ToFloat(uint16_t x) {
#if defined(__F16C__)
  return floatOf(bitsOf(static_cast<float>(__builtin_bit_cast(_Float16, x))) | unknownZero);
#else
  const uint32_t sign = static_cast<uint32_t>(x & 0x8000u) << 16;
  const uint32_t magnitude = x & 0x7fffu;
  const uint32_t normal = (magnitude << 13) + (112u << 23);
  const uint32_t special = (magnitude << 13) | 0x7f800000u | (magnitude > 0x7c00u ? 0x400000u : 0u);
  const uint32_t subnormal = bitsOf(static_cast<float>(static_cast<int32_t>(magnitude)) * 0x1p-24f);
  const uint32_t finite = magnitude < 0x400u ? subnormal : normal;
  return floatOf(sign | (magnitude >= 0x7c00u ? special : finite));
#endif
}

TRISECT_INLINE uint16_t floatToF16(float x) {
#if defined(__F16C__)
  return __builtin_bit_cast(uint16_t, static_cast<_Float16>(x));
#else
  const uint32_t bits = bitsOf(x);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  // Adding half a unit less one, plus the last kept bit, carries exactly when rounding goes up.
  const uint32_t normal = (magnitude - (112u << 23) + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
  // 0.5 has its last bit where f16 subnormals have theirs, so the addition rounds for us.
  const uint32_t subnormal = bitsOf(floatOf(magnitude) + 0.5f) - bitsOf(0.5f);
  const uint32_t nan = 0x7e00u | ((magnitude >> 13) & 0x3ffu);
  const uint32_t finite = magnitude < (113u << 23) ? subnormal : normal;
  const uint32_t number = magnitude >= 0x47800000u ? 0x7c00u : finite;
  return static_cast<uint16_t>(sign | (magnitude > 0x7f800000u ? nan : number));
#endif
}

/// Towards zero: finite values never become infinite.
TRISECT_INLINE uint16_t floatToF16Rtz(float x) {
  const uint32_t bits = bitsOf(x);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  const uint32_t normal = (magnitude - (112u << 23)) >> 13;
  const float clamped = magnitude < (113u << 23) ? floatOf(magnitude) : 0.0f;
  const uint32_t subnormal = static_cast<uint32_t>(static_cast<int32_t>(clamped * 0x1p24f));
  const uint32_t finite =
      magnitude < (113u << 23) ? subnormal : (magnitude >= 0x47800000u ? 0x7bffu : normal);
  const uint32_t nan = 0x7e00u | ((magnitude >> 13) & 0x3ffu);
  const uint32_t number = magnitude == 0x7f800000u ? 0x7c00u : finite;
  return static_cast<uint16_t>(sign | (magnitude > 0x7f800000u ? nan : number));
}

TRISECT_INLINE float bf16ToFloat(uint16_t x) { return floatOf(static_cast<uint32_t>(x) << 16); }

TRISECT_INLINE uint16_t floatToBf16(float x) {
  const uint32_t bits = bitsOf(x);
  const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  const uint32_t nan = (bits >> 16) | 0x40u;
  return static_cast<uint16_t>(isNan(x) ? nan : rounded);
}

TRISECT_INLINE uint16_t floatToBf16Rtz(float x) {
  const uint32_t top = bitsOf(x) >> 16;
  return static_cast<uint16_t>(isNan(x) ? top | 0x40u : top);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_NUMERICS_FLOAT16_H
