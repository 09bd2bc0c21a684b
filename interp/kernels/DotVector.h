//===- DotVector.h - the vectors that matrix products are built of --------------------------------------===//
//
// What: one machine vector of f32 or f64 with load, store, broadcast and fused multiply-add, on each ISA
// level. Limits: levels without FMA instructions use a plain array, whose loops the compiler vectorises or
// not.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_DOTVECTOR_H
#define TRISECT_INTERP_KERNELS_DOTVECTOR_H

#include "interp/numerics/Fma.h"
#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

template <class T> struct DotVector;

#if defined(__AVX512F__)
template <> struct DotVector<float> {
  static constexpr int lanes = 16;
  __m512 v;
  TRISECT_INLINE static DotVector load(const float *p) { return {_mm512_loadu_ps(p)}; }
  TRISECT_INLINE static DotVector splat(float x) { return {_mm512_set1_ps(x)}; }
  TRISECT_INLINE void store(float *p) const { _mm512_storeu_ps(p, v); }
  TRISECT_INLINE void addProduct(DotVector a, DotVector b) { v = _mm512_fmadd_ps(a.v, b.v, v); }
};
template <> struct DotVector<double> {
  static constexpr int lanes = 8;
  __m512d v;
  TRISECT_INLINE static DotVector load(const double *p) { return {_mm512_loadu_pd(p)}; }
  TRISECT_INLINE static DotVector splat(double x) { return {_mm512_set1_pd(x)}; }
  TRISECT_INLINE void store(double *p) const { _mm512_storeu_pd(p, v); }
  TRISECT_INLINE void addProduct(DotVector a, DotVector b) { v = _mm512_fmadd_pd(a.v, b.v, v); }
};
#elif defined(__AVX2__)
template <> struct DotVector<float> {
  static constexpr int lanes = 8;
  __m256 v;
  TRISECT_INLINE static DotVector load(const float *p) { return {_mm256_loadu_ps(p)}; }
  TRISECT_INLINE static DotVector splat(float x) { return {_mm256_set1_ps(x)}; }
  TRISECT_INLINE void store(float *p) const { _mm256_storeu_ps(p, v); }
  TRISECT_INLINE void addProduct(DotVector a, DotVector b) { v = _mm256_fmadd_ps(a.v, b.v, v); }
};
template <> struct DotVector<double> {
  static constexpr int lanes = 4;
  __m256d v;
  TRISECT_INLINE static DotVector load(const double *p) { return {_mm256_loadu_pd(p)}; }
  TRISECT_INLINE static DotVector splat(double x) { return {_mm256_set1_pd(x)}; }
  TRISECT_INLINE void store(double *p) const { _mm256_storeu_pd(p, v); }
  TRISECT_INLINE void addProduct(DotVector a, DotVector b) { v = _mm256_fmadd_pd(a.v, b.v, v); }
};
#else
template <class T> struct DotVector {
  static constexpr int lanes = 4;
  T v[lanes];
  TRISECT_INLINE static DotVector load(const T *p) { return {{p[0], p[1], p[2], p[3]}}; }
  TRISECT_INLINE static DotVector splat(T x) { return {{x, x, x, x}}; }
  TRISECT_INLINE void store(T *p) const {
    for (int i = 0; i < lanes; ++i)
      p[i] = v[i];
  }
  TRISECT_INLINE void addProduct(DotVector a, DotVector b) {
    for (int i = 0; i < lanes; ++i)
      v[i] = fusedMultiplyAdd(a.v[i], b.v[i], v[i]);
  }
};
#endif

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_KERNELS_DOTVECTOR_H
