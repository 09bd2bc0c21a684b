//===- PairVector.h - vectors for integer products ------------------------------------------------------===//
//
// What: 32-bit sums to which a * b + c * d of 16-bit pairs is added, on each ISA level.
// Limits: without vector instructions it is a plain array.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_PAIRVECTOR_H
#define TRISECT_INTERP_KERNELS_PAIRVECTOR_H

#include "interp/kernels/Vectors.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

#if TRISECT_VECTORS
/// a * b + c * d of the pairs in each lane. x86 has one instruction for it, which xsimd does not name.
TRISECT_INLINE Batch<int32_t> productsOfPairs(Batch<int32_t> a, Batch<int32_t> b) {
#if defined(__AVX512BW__)
  return Batch<int32_t>(_mm512_madd_epi16(a, b));
#elif defined(__AVX2__)
  return Batch<int32_t>(_mm256_madd_epi16(a, b));
#elif defined(__SSE2__)
  return Batch<int32_t>(_mm_madd_epi16(a, b));
#else
  return ((a << 16) >> 16) * ((b << 16) >> 16) + (a >> 16) * (b >> 16);
#endif
}

struct PairVector {
  static constexpr int lanes = Batch<int32_t>::size;
  Batch<int32_t> v;
  TRISECT_INLINE static PairVector load(const void *p) {
    return {Batch<int32_t>::load_unaligned(static_cast<const int32_t *>(p))};
  }
  TRISECT_INLINE static PairVector splat(int32_t x) { return {Batch<int32_t>(x)}; }
  TRISECT_INLINE void store(void *p) const { v.store_unaligned(static_cast<int32_t *>(p)); }
  TRISECT_INLINE void addPairs(PairVector a, PairVector b) { v = v + productsOfPairs(a.v, b.v); }
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
