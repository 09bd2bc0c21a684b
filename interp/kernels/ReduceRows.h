//===- ReduceRows.h - folding many rows of contiguous elements ------------------------------------------===//
//
// What: the kernel of reduceKernel(), which chooses among the loops; and [outer][length] into [outer] in the
// order of ReduceLoops.h, a tile of rows at a time: each row folds in halves down to one vector, then the
// tile is transposed and the halves of all its rows fold together. Why: the last steps of one row alone are
// too narrow for vectors, and attention folds rows of 64 for every block of scores. Limits: rows of 64
// elements or more, or of a power of two that fills a vector; the scalar level folds row by row.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_REDUCEROWS_H
#define TRISECT_INTERP_KERNELS_REDUCEROWS_H

#include "interp/kernels/ReduceLoops.h"
#include "interp/kernels/Transpose.h"
#include "interp/kernels/Vectors.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

/// Rows of a tile, and the lanes that each folds to: those of a vector of the level, 0 on the scalar one.
template <class T> constexpr int tileLanes = vectorBytes / sizeof(T) > 16 ? 16 : vectorBytes / int(sizeof(T));

/// Whether rows of that length fold to a whole vector.
template <class T> TRISECT_INLINE bool foldsToTile(int64_t length) {
  return length >= reduceAccumulators || (length >= tileLanes<T> && (length & (length - 1)) == 0);
}

/// One row into `Lanes` lanes.
template <class Op, int Lanes, class T>
TRISECT_INLINE void foldToLanes(T *lanes, const T *x, int64_t length) {
  alignas(64) T acc[reduceAccumulators];
  const int64_t first = accumulate<Op>(acc, x, length, reduceAccumulators);
  if (first == reduceAccumulators) {
    joinRow<Op>(acc, acc + 32, 32);
    if constexpr (Lanes < 32)
      joinRow<Op>(acc, acc + 16, 16);
    if constexpr (Lanes < 16)
      joinRow<Op>(acc, acc + 8, 8);
    if constexpr (Lanes < 8)
      joinRow<Op>(acc, acc + 4, 4);
    if constexpr (Lanes < 4)
      joinRow<Op>(acc, acc + 2, 2);
  } else {
    for (int64_t half = first / 2; half >= Lanes; half /= 2)
      joinRow<Op>(acc, acc + half, half);
  }
  copyRow(lanes, acc, Lanes);
}

/// The rest of the fold for `Lanes` rows at once.
template <class Op, int Lanes, class T> TRISECT_INLINE void foldTile(T *result, const T *tile) {
  alignas(64) T columns[Lanes * Lanes];
  transposeTile<T, Lanes>(columns, Lanes, tile);
  for (int64_t half = Lanes / 2; half >= 1; half /= 2)
    joinRow<Op>(columns, columns + half * Lanes, half * Lanes);
  copyRow(result, columns, Lanes);
}

/// Folds as many rows as fill tiles; returns how many.
template <class Op, class T> int64_t reduceRowTiles(T *result, const T *x, int64_t outer, int64_t length) {
  constexpr int lanes = tileLanes<T>;
  if constexpr (lanes < 2) {
    return 0;
  } else {
    if (!foldsToTile<T>(length))
      return 0;
    int64_t row = 0;
    for (; row + lanes <= outer; row += lanes) {
      alignas(64) T tile[lanes * lanes];
      for (int64_t i = 0; i < lanes; ++i)
        foldToLanes<Op, lanes>(tile + i * lanes, x + (row + i) * length, length);
      foldTile<Op, lanes>(result + row, tile);
    }
    return row;
  }
}

template <class Op>
void runReduce(void *result, const void *input, int64_t outer, int64_t length, int64_t inner) {
  using T = typename Op::Result;
  auto *r = static_cast<T *>(result);
  const auto *x = static_cast<const T *>(input);
  if (length == 2 && inner == 1) {
    const Op op(0);
    TRISECT_LOOP for (int64_t i = 0; i < outer; ++i) r[i] = op(x[2 * i], x[2 * i + 1]);
    return;
  }
  int64_t i = inner == 1 ? reduceRowTiles<Op>(r, x, outer, length) : 0;
  for (; i < outer; ++i) {
    if (inner <= 16)
      reduceFlat<Op>(r + i * inner, x + i * length * inner, length, inner);
    else
      reduceColumns<Op>(r + i * inner, x + i * length * inner, length, inner);
  }
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_KERNELS_REDUCEROWS_H
