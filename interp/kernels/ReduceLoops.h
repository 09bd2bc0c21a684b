//===- ReduceLoops.h - folding the middle of [outer][length][inner] -------------------------------------===//
//
// What: the loops behind reduceKernel(), in the order that KernelTable.h fixes: lane i joins accumulator i
// mod 64, then accumulators are folded in halves. Why: with 64 accumulators the order leaves enough
// independent lanes for every vector width, so that it can be the same everywhere. Limits: `Op` combines two
// stored elements; each step rounds to the element type, as the region of a reduce does.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_REDUCELOOPS_H
#define TRISECT_INTERP_KERNELS_REDUCELOOPS_H

#include "interp/kernels/Loops.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

constexpr int64_t reduceAccumulators = 64;

/// acc[j] = op(acc[j], x[j])
template <class Op, class T> TRISECT_INLINE void joinRow(T *acc, const T *x, int64_t n) {
  const Op op(0);
  TRISECT_LOOP for (int64_t j = 0; j < n; ++j) acc[j] = op(acc[j], x[j]);
}
template <class T> TRISECT_INLINE void copyRow(T *to, const T *from, int64_t n) {
  __builtin_memcpy(to, from, static_cast<size_t>(n) * sizeof(T));
}

/// Folds `rows` <= 64 rows of `width` contiguous elements, `stride` apart, into the first.
template <class Op, class T> void foldHalves(T *rows, int64_t count, int64_t width, int64_t stride) {
  for (int64_t half = reduceAccumulators / 2; half >= 1; half /= 2) {
    for (int64_t j = 0; j + half < count && j < half; ++j)
      joinRow<Op>(rows + j * stride, rows + (j + half) * stride, width);
    count = count < half ? count : half;
  }
}

/// Joins `total` elements into accumulators, `period` of them at a time; returns how many exist.
template <class Op, class T>
TRISECT_INLINE int64_t accumulate(T *acc, const T *x, int64_t total, int64_t period) {
  const Op op(0);
  const int64_t first = total < period ? total : period;
  copyRow(acc, x, first);
  int64_t at = first;
  // Four periods at a time keep an accumulator in a register for four steps.
  for (; at + 4 * period <= total; at += 4 * period) {
    const T *x0 = x + at, *x1 = x0 + period, *x2 = x1 + period, *x3 = x2 + period;
    TRISECT_LOOP for (int64_t j = 0; j < period; ++j) acc[j] =
        op(op(op(op(acc[j], x0[j]), x1[j]), x2[j]), x3[j]);
  }
  for (; at < total; at += period)
    joinRow<Op>(acc, x + at, total - at < period ? total - at : period);
  return first;
}

/// One [length][inner] with few columns: 64 rows are one contiguous period of accumulators.
template <class Op, class T> void reduceFlat(T *result, const T *x, int64_t length, int64_t inner) {
  constexpr int64_t maxInner = 16;
  alignas(64) T acc[reduceAccumulators * maxInner];
  const int64_t period = reduceAccumulators * inner;
  const int64_t first = accumulate<Op>(acc, x, length * inner, period);
  if (inner == 1 && first == period) {
    // The full fold, with widths known to the compiler.
    joinRow<Op>(acc, acc + 32, 32);
    joinRow<Op>(acc, acc + 16, 16);
    joinRow<Op>(acc, acc + 8, 8);
    joinRow<Op>(acc, acc + 4, 4);
    joinRow<Op>(acc, acc + 2, 2);
    result[0] = Op(0)(acc[0], acc[1]);
    return;
  }
  foldHalves<Op>(acc, length < reduceAccumulators ? length : reduceAccumulators, inner, inner);
  copyRow(result, acc, inner);
}

/// One [length][inner] with many columns, in blocks of columns.
template <class Op, class T> void reduceColumns(T *result, const T *x, int64_t length, int64_t inner) {
  constexpr int64_t blockWidth = 256 / sizeof(T);
  alignas(64) T acc[reduceAccumulators * blockWidth];
  const Op op(0);
  for (int64_t c = 0; c < inner; c += blockWidth) {
    const int64_t width = inner - c < blockWidth ? inner - c : blockWidth;
    int64_t rows = length;
    if (length <= reduceAccumulators) {
      // Nothing is accumulated before the first fold, which can read the input.
      int64_t half = 1;
      while (2 * half < length)
        half *= 2;
      for (int64_t j = 0; j < half && j < length; ++j) {
        const T *low = x + j * inner + c, *high = low + half * inner;
        T *out = acc + j * blockWidth;
        if (j + half >= length) {
          copyRow(out, low, width);
          continue;
        }
        TRISECT_LOOP for (int64_t i = 0; i < width; ++i) out[i] = op(low[i], high[i]);
      }
      rows = length < half ? length : half;
    } else {
      for (int64_t j = 0; j < reduceAccumulators; ++j) {
        T *out = acc + j * blockWidth;
        copyRow(out, x + j * inner + c, width);
        for (int64_t i = j + reduceAccumulators; i < length; i += reduceAccumulators)
          joinRow<Op>(out, x + i * inner + c, width);
      }
      rows = reduceAccumulators;
    }
    foldHalves<Op>(acc, rows, width, blockWidth);
    copyRow(result + c, acc, width);
  }
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_KERNELS_REDUCELOOPS_H
