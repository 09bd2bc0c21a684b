//===- PairVector.h - vectors for integer products ------------------------------------------------------===//
//
// What: 32-bit sums to which a * b + c * d of 16-bit pairs is added, on each ISA level.
// Limits: without vector instructions it is a plain array.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_PAIRVECTOR_H
#define TRISECT_INTERP_KERNELS_PAIRVECTOR_H

#include "interp/numerics/IsaNamespace.h"
#include <cstdint>
#if defined(__SSE4_1__)
#include <immintrin.h>
#endif

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

#if defined(__AVX512BW__)
struct PairVector {
  static constexpr int lanes = 16;
  __m512i v;
  TRISECT_INLINE static PairVector load(const void *p) { return {_mm512_loadu_si512(p)}; }
  TRISECT_INLINE static PairVector splat(int32_t x) { return {_mm512_set1_epi32(x)}; }
  TRISECT_INLINE void store(void *p) const { _mm512_storeu_si512(p, v); }
  TRISECT_INLINE void addPairs(PairVector a, PairVector b) {
    v = _mm512_add_epi32(v, _mm512_madd_epi16(a.v, b.v));
  }
};
#elif defined(__AVX2__)
struct PairVector {
  static constexpr int lanes = 8;
  __m256i v;
  TRISECT_INLINE static PairVector load(const void *p) {
    return {_mm256_loadu_si256(static_cast<const __m256i *>(p))};
  }
  TRISECT_INLINE static PairVector splat(int32_t x) { return {_mm256_set1_epi32(x)}; }
  TRISECT_INLINE void store(void *p) const { _mm256_storeu_si256(static_cast<__m256i *>(p), v); }
  TRISECT_INLINE void addPairs(PairVector a, PairVector b) {
    v = _mm256_add_epi32(v, _mm256_madd_epi16(a.v, b.v));
  }
};
#elif defined(__SSE4_1__)
struct PairVector {
  static constexpr int lanes = 4;
  __m128i v;
  TRISECT_INLINE static PairVector load(const void *p) {
    return {_mm_loadu_si128(static_cast<const __m128i *>(p))};
  }
  TRISECT_INLINE static PairVector splat(int32_t x) { return {_mm_set1_epi32(x)}; }
  TRISECT_INLINE void store(void *p) const { _mm_storeu_si128(static_cast<__m128i *>(p), v); }
  TRISECT_INLINE void addPairs(PairVector a, PairVector b) { v = _mm_add_epi32(v, _mm_madd_epi16(a.v, b.v)); }
};
#else
struct PairVector {
  static constexpr int lanes = 4;
  uint32_t v[lanes];
  TRISECT_INLINE static PairVector load(const void *p) {
    PairVector result;
    __builtin_memcpy(result.v, p, sizeof(v));
    return result;
  }
  TRISECT_INLINE static PairVector splat(int32_t x) {
    const uint32_t bits = static_cast<uint32_t>(x);
    return {{bits, bits, bits, bits}};
  }
  TRISECT_INLINE void store(void *p) const { __builtin_memcpy(p, v, sizeof(v)); }
  TRISECT_INLINE void addPairs(PairVector a, PairVector b) {
    for (int i = 0; i < lanes; ++i) {
      const int32_t low = int32_t(int16_t(a.v[i])) * int16_t(b.v[i]);
      const int32_t high = int32_t(int16_t(a.v[i] >> 16)) * int16_t(b.v[i] >> 16);
      v[i] += static_cast<uint32_t>(low) + static_cast<uint32_t>(high);
    }
  }
};
#endif

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_KERNELS_PAIRVECTOR_H
