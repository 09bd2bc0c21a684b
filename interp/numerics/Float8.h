//===- Float8.h - the 8-bit float formats ---------------------------------------------------------------===//
//
// What: the four fp8 types of TTIR and fp8e4b15 (kept in i8), described by a few numbers, with one decoder
// and one encoder for all. Why: written over the description the code vectorises, and a test against
// ml_dtypes covers every format. Limits: encoding saturates: a finite value beyond the range, and infinity,
// become the largest finite value, as `cvt.satfinite` does on a GPU. NaN becomes the NaN of the format
// (fp8e4b15 has none: its largest value).
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_NUMERICS_FLOAT8_H
#define TRISECT_INTERP_NUMERICS_FLOAT8_H

#include "core/support/Enums.h"
#include "interp/numerics/Bits.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

/// A float format of at most 8 bits. `largest` is the code of the largest finite value, `nan` the code of
/// NaN.
struct SmallFormat {
  int mantissaBits;
  int bias;
  uint32_t largest;
  uint32_t nan;
  bool hasInfinity;     ///< largest + 1 is infinity, above it lie NaNs
  bool hasNegativeZero; ///< else the code 0x80 is the only NaN
};
inline constexpr SmallFormat f8E5M2 = {2, 15, 0x7b, 0x7f, true, true};
inline constexpr SmallFormat f8E4M3FN = {3, 7, 0x7e, 0x7f, false, true};
inline constexpr SmallFormat f8E5M2FNUZ = {2, 16, 0x7f, 0x80, false, false};
inline constexpr SmallFormat f8E4M3FNUZ = {3, 8, 0x7f, 0x80, false, false};
inline constexpr SmallFormat f8E4B15 = {3, 15, 0x7f, 0x7f, false, true};

template <const SmallFormat &F> TRISECT_INLINE float smallToFloat(uint8_t x) {
  const uint32_t sign = static_cast<uint32_t>(x & 0x80u) << 24;
  const uint32_t magnitude = x & 0x7fu;
  constexpr int shift = 23 - F.mantissaBits;
  constexpr uint32_t rebias = static_cast<uint32_t>(127 - F.bias) << 23;
  constexpr float quantum =
      __builtin_bit_cast(float, static_cast<uint32_t>(128 - F.bias - F.mantissaBits) << 23);
  const uint32_t subnormal = bitsOf(static_cast<float>(static_cast<int32_t>(magnitude)) * quantum);
  uint32_t number = magnitude < (1u << F.mantissaBits) ? subnormal : (magnitude << shift) + rebias;
  if constexpr (F.hasInfinity)
    number = magnitude > F.largest ? (magnitude << shift) | 0x7f800000u : number;
  if constexpr (F.hasInfinity)
    number = magnitude > F.largest + 1 ? number | 0x400000u : number;
  else if constexpr (F.hasNegativeZero && F.largest + 1 == F.nan)
    number = magnitude == F.nan ? 0x7fc00000u : number;
  if constexpr (!F.hasNegativeZero)
    return floatOf(x == 0x80u ? 0x7fc00000u : sign | number);
  return floatOf(sign | number);
}

template <const SmallFormat &F, attr::RoundingMode R> TRISECT_INLINE uint8_t floatToSmall(float x) {
  constexpr int shift = 23 - F.mantissaBits;
  constexpr uint32_t rebias = static_cast<uint32_t>(127 - F.bias) << F.mantissaBits;
  constexpr uint32_t smallestNormal = static_cast<uint32_t>(128 - F.bias) << 23;
  const uint32_t bits = bitsOf(x);
  const uint32_t sign = (bits >> 24) & 0x80u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  uint32_t normal, subnormal;
  if constexpr (R == attr::RoundingMode::NearestEven) {
    // The magic number's last bit is the quantum of the format's subnormals: the addition rounds for us.
    constexpr float magic =
        __builtin_bit_cast(float, static_cast<uint32_t>(128 - F.bias - F.mantissaBits + 23) << 23);
    normal = ((magnitude + ((1u << (shift - 1)) - 1u) + ((magnitude >> shift) & 1u)) >> shift) - rebias;
    subnormal = bitsOf(floatOf(magnitude) + magic) - bitsOf(magic);
  } else {
    constexpr float scale =
        __builtin_bit_cast(float, static_cast<uint32_t>(126 + F.bias + F.mantissaBits) << 23);
    normal = (magnitude >> shift) - rebias;
    const float clamped = magnitude < smallestNormal ? floatOf(magnitude) : 0.0f;
    subnormal = static_cast<uint32_t>(static_cast<int32_t>(clamped * scale));
  }
  uint32_t code = magnitude < smallestNormal ? subnormal : normal;
  code = code > F.largest ? F.largest : code;
  if constexpr (!F.hasNegativeZero) {
    code = code == 0 ? 0 : sign | code;
    return static_cast<uint8_t>(magnitude > 0x7f800000u ? F.nan : code);
  }
  return static_cast<uint8_t>(sign | (magnitude > 0x7f800000u ? F.nan : code));
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_NUMERICS_FLOAT8_H
