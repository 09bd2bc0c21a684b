//===- SmallTable.h - sixteen numbers, one chosen for each lane -----------------------------------------===//
//
// What: table[index] for many lanes. Why: a table of sixteen f32 lies in one register of AVX-512 or two of
// AVX2, where one instruction, or two and a choice, looks up all lanes; compilers read it from memory lane by
// lane. Limits: indices are below 16, and lanes a multiple of 16.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_NUMERICS_SMALLTABLE_H
#define TRISECT_INTERP_NUMERICS_SMALLTABLE_H

#include "interp/numerics/IsaNamespace.h"
#include <cstdint>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

/// All pointers are aligned as vectors are.
TRISECT_INLINE void lookUp(const float *table, const int32_t *index, float *entry, int64_t lanes) {
#if defined(__AVX512F__)
  const __m512 all = _mm512_load_ps(table);
  for (int64_t i = 0; i < lanes; i += 16)
    _mm512_store_ps(entry + i, _mm512_permutexvar_ps(_mm512_load_si512(index + i), all));
#elif defined(__AVX2__)
  const __m256 lower = _mm256_load_ps(table), upper = _mm256_load_ps(table + 8);
  for (int64_t i = 0; i < lanes; i += 8) {
    const __m256i at = _mm256_load_si256(reinterpret_cast<const __m256i *>(index + i));
    // The fourth bit, where a choice between vectors looks for it.
    const __m256 inUpper = _mm256_castsi256_ps(_mm256_slli_epi32(at, 28));
    _mm256_store_ps(entry + i, _mm256_blendv_ps(_mm256_permutevar8x32_ps(lower, at),
                                                _mm256_permutevar8x32_ps(upper, at), inUpper));
  }
#else
  for (int64_t i = 0; i < lanes; ++i)
    entry[i] = table[index[i]];
#endif
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_NUMERICS_SMALLTABLE_H
