//===- Transpose.h - square tiles of elements, transposed in registers ----------------------------------===//
//
// What: writes a tile of N x N elements with rows and columns exchanged. Why: a matrix whose columns lie one
// after the other (the keys of attention) costs as much to pack as its product if it is read element by
// element. Limits: vectors of the compiler, which it lowers to the shuffles of the level; N is a power of
// two.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_TRANSPOSE_H
#define TRISECT_INTERP_KERNELS_TRANSPOSE_H

#include "interp/numerics/IsaNamespace.h"
#include <cstdint>
#include <utility>

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

template <class T, int N> struct TileRow {
  typedef T Vector __attribute__((vector_size(N * sizeof(T))));
};

/// Exchanges the off-diagonal blocks of `Distance` lanes of rows a and b, which are `Distance` rows apart.
template <class T, int N, int Distance, int... I>
TRISECT_INLINE void exchangeBlocks(typename TileRow<T, N>::Vector &a, typename TileRow<T, N>::Vector &b,
                                   std::integer_sequence<int, I...>) {
  const auto low = __builtin_shufflevector(a, b, ((I & Distance) ? N + I - Distance : I)...);
  const auto high = __builtin_shufflevector(a, b, ((I & Distance) ? N + I : I + Distance)...);
  a = low;
  b = high;
}

template <class T, int N, int Distance>
TRISECT_INLINE void exchangeRows(typename TileRow<T, N>::Vector *rows) {
#pragma GCC unroll 16
  for (int i = 0; i < N; ++i)
    if (!(i & Distance))
      exchangeBlocks<T, N, Distance>(rows[i], rows[i + Distance], std::make_integer_sequence<int, N>());
}

/// to[i * stride + j] = tile[j * N + i]
template <class T, int N> TRISECT_INLINE void transposeTile(T *to, int64_t stride, const T *tile) {
  typename TileRow<T, N>::Vector rows[N];
#pragma GCC unroll 16
  for (int i = 0; i < N; ++i)
    __builtin_memcpy(&rows[i], tile + i * N, sizeof(rows[i]));
  exchangeRows<T, N, 1>(rows);
  if constexpr (N > 2)
    exchangeRows<T, N, 2>(rows);
  if constexpr (N > 4)
    exchangeRows<T, N, 4>(rows);
  if constexpr (N > 8)
    exchangeRows<T, N, 8>(rows);
#pragma GCC unroll 16
  for (int i = 0; i < N; ++i)
    __builtin_memcpy(to + i * stride, &rows[i], sizeof(rows[i]));
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_KERNELS_TRANSPOSE_H
