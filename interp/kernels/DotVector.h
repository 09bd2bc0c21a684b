//===- DotVector.h - the vectors that matrix products are built of --------------------------------------===//
//
// What: one machine vector of f32 or f64 with load, store, broadcast and fused multiply-add, on each ISA
// level. Limits: levels without FMA instructions use a plain array, whose loops the compiler vectorises or
// not.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_DOTVECTOR_H
#define TRISECT_INTERP_KERNELS_DOTVECTOR_H

#include "interp/kernels/Vectors.h"
#include "interp/numerics/Fma.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

#if TRISECT_VECTORS && TRISECT_FMA
template <class T> TRISECT_INLINE Batch<T> fusedMultiplyAdd(Batch<T> a, Batch<T> b, Batch<T> c) {
#if defined(__AVX512F__)
  // The xsimd of Debian 12 rounds twice here.
  if constexpr (sizeof(T) == 4)
    return Batch<T>(_mm512_fmadd_ps(a, b, c));
  else
    return Batch<T>(_mm512_fmadd_pd(a, b, c));
#else
  return xsimd::fma(a, b, c);
#endif
}

template <class T> struct DotVector {
  static constexpr int lanes = Batch<T>::size;
  Batch<T> v;
  TRISECT_INLINE static DotVector load(const T *p) { return {Batch<T>::load_unaligned(p)}; }
  TRISECT_INLINE static DotVector splat(T x) { return {Batch<T>(x)}; }
  TRISECT_INLINE void store(T *p) const { v.store_unaligned(p); }
  TRISECT_INLINE void addProduct(DotVector a, DotVector b) { v = fusedMultiplyAdd<T>(a.v, b.v, v); }
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
