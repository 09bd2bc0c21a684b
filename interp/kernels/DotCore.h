//===- DotCore.h - register tiles of a matrix product ---------------------------------------------------===//
//
// What: c += a * b for row-major a in place (any row stride) and b packed in panels; every element of the
// result is one chain of fused multiply-adds in ascending k. Why: packing b makes its loads contiguous for a
// few percent of the time of the product; a needs no packing, since its elements are broadcast. Limits:
// Eigen's product is not used: it splits k and orders sums by the machine's vector length, so its bits differ
// between ISA levels (docs/numerics.md).
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_DOTCORE_H
#define TRISECT_INTERP_KERNELS_DOTCORE_H

#include "interp/kernels/DotVector.h"
#include "interp/kernels/Transpose.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

/// The register tile of the wide case; AVX-512 and Arm have 32 vector registers, the others 16.
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr int tileRows = 4, tileVectors = 4;
#else
constexpr int tileRows = 6, tileVectors = 2;
#endif

/// Columns of a panel: fewer vectors for narrow matrices.
template <class T> TRISECT_INLINE int panelVectors(int64_t n) {
  constexpr int lanes = DotVector<T>::lanes;
  return n > 2 * lanes ? tileVectors : n > lanes ? 2 : 1;
}
template <class T> TRISECT_INLINE int64_t paddedColumns(int64_t n) {
  const int64_t width = panelVectors<T>(n) * DotVector<T>::lanes;
  return (n + width - 1) / width * width;
}

/// b[k][n] as it lies in memory: `row` elements between rows, `column` between columns.
template <class From> struct PackSource {
  const From *data;
  int64_t k, n;
  int64_t row, column;
};

/// One panel of contiguous columns of b, of which the rows lie one after the other in memory.
template <class T, class From, class Convert>
void packTransposed(T *packed, const PackSource<From> &b, int64_t first, int64_t width, Convert convert) {
  constexpr int64_t lanes = DotVector<T>::lanes;
  const int64_t whole = b.k / lanes * lanes;
  for (int64_t j = 0; j < width; j += lanes) {
    const From *source = b.data + (first + j) * b.column;
    for (int64_t row = 0; row < whole; row += lanes) {
      alignas(64) T tile[lanes * lanes];
#pragma GCC unroll 16
      for (int64_t i = 0; i < lanes; ++i)
        TRISECT_LOOP for (int64_t l = 0; l < lanes; ++l) tile[i * lanes + l] =
            convert(source[i * b.column + row + l]);
      transposeTile<T, lanes>(packed + row * width + j, width, tile);
    }
    for (int64_t row = whole; row < b.k; ++row)
      for (int64_t l = 0; l < lanes; ++l)
        packed[row * width + j + l] = convert(source[l * b.column + row]);
  }
}

/// Packs b into panels [panel][k][width], converting each element; columns past n are zero.
template <class T, class From, class Convert>
void packPanels(T *packed, const PackSource<From> &b, Convert convert) {
  const int64_t width = panelVectors<T>(b.n) * DotVector<T>::lanes;
  for (int64_t column = 0; column < b.n; column += width, packed += b.k * width) {
    const int64_t valid = b.n - column < width ? b.n - column : width;
    if (valid == width && b.row == 1 && b.column != 1) {
      packTransposed(packed, b, column, width, convert);
      continue;
    }
    T *to = packed;
    for (int64_t row = 0; row < b.k; ++row, to += width) {
      const From *source = b.data + row * b.row + column * b.column;
      if (valid == width && b.column == 1) {
        TRISECT_LOOP for (int64_t j = 0; j < width; ++j) to[j] = convert(source[j]);
        continue;
      }
      for (int64_t j = 0; j < width; ++j)
        to[j] = j < valid ? convert(source[j * b.column]) : T(0);
    }
  }
}

/// Rows x (Vectors * lanes) of the result, kept in registers over all of k.
template <class T, int Rows, int Vectors>
TRISECT_INLINE void dotTile(const T *a, int64_t lda, const T *panel, int64_t k, const T *c, int64_t ldc, T *d,
                            int64_t ldd) {
  using V = DotVector<T>;
  V acc[Rows][Vectors];
#pragma GCC unroll 8
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 4
    for (int j = 0; j < Vectors; ++j)
      acc[i][j] = c ? V::load(c + i * ldc + j * V::lanes) : V::splat(T(0));
  for (int64_t p = 0; p < k; ++p) {
    V b[Vectors];
#pragma GCC unroll 4
    for (int j = 0; j < Vectors; ++j)
      b[j] = V::load(panel + (p * Vectors + j) * V::lanes);
#pragma GCC unroll 8
    for (int i = 0; i < Rows; ++i) {
      const V x = V::splat(a[i * lda + p]);
#pragma GCC unroll 4
      for (int j = 0; j < Vectors; ++j)
        acc[i][j].addProduct(x, b[j]);
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 4
    for (int j = 0; j < Vectors; ++j)
      acc[i][j].store(d + i * ldd + j * V::lanes);
}

/// The operands of one pass over all of k.
template <class T> struct DotPass {
  const T *a;
  int64_t lda;
  const T *packed;
  const T *c; ///< null: zero
  int64_t ldc;
  T *d;
  int64_t ldd;
  int64_t m, n, k;
};

template <class T, int Rows, int Vectors>
TRISECT_INLINE void dotRows(const DotPass<T> &pass, int64_t row, int64_t column) {
  constexpr int64_t width = Vectors * DotVector<T>::lanes;
  const T *a = pass.a + row * pass.lda;
  const T *panel = pass.packed + column * pass.k;
  const T *c = pass.c ? pass.c + row * pass.ldc + column : nullptr;
  T *d = pass.d + row * pass.ldd + column;
  const int64_t valid = pass.n - column;
  if (valid >= width)
    return dotTile<T, Rows, Vectors>(a, pass.lda, panel, pass.k, c, pass.ldc, d, pass.ldd);
  // A panel that reaches past the matrix works on a copy of the tile.
  alignas(64) T tile[Rows * width] = {};
  for (int64_t i = 0; c && i < Rows; ++i)
    for (int64_t j = 0; j < valid; ++j)
      tile[i * width + j] = c[i * pass.ldc + j];
  dotTile<T, Rows, Vectors>(a, pass.lda, panel, pass.k, tile, width, tile, width);
  for (int64_t i = 0; i < Rows; ++i)
    for (int64_t j = 0; j < valid; ++j)
      d[i * pass.ldd + j] = tile[i * width + j];
}

template <class T, int Rows, int Vectors> void dotPanels(const DotPass<T> &pass) {
  for (int64_t column = 0; column < pass.n; column += Vectors * DotVector<T>::lanes) {
    int64_t row = 0;
    for (; row + Rows <= pass.m; row += Rows)
      dotRows<T, Rows, Vectors>(pass, row, column);
    for (; row + 2 <= pass.m; row += 2)
      dotRows<T, 2, Vectors>(pass, row, column);
    if (row < pass.m)
      dotRows<T, 1, Vectors>(pass, row, column);
  }
}

/// d = c + a * b; `packed` comes from packPanels with the same n and k.
template <class T> void dotPass(const DotPass<T> &pass) {
  switch (panelVectors<T>(pass.n)) {
  case 1:
    return dotPanels<T, 8, 1>(pass);
  case 2:
    return dotPanels < T, tileRows == 4 ? 8 : tileRows, 2 > (pass);
  default:
    return dotPanels<T, tileRows, tileVectors>(pass);
  }
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_KERNELS_DOTCORE_H
