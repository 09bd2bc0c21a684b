//===- ScanLoops.h - inclusive scans along the middle of [outer][length][inner] -------------------------===//
//
// What: the loops behind scanKernel(): one step along the axis at a time, in order.
// Why: with many columns a step is one vector operation; with one column eight rows go side by side, since
// each row alone is a chain of dependent operations. Limits: `Op` combines two stored elements; each step
// rounds to the element type.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_SCANLOOPS_H
#define TRISECT_INTERP_KERNELS_SCANLOOPS_H

#include "interp/kernels/Loops.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

/// `Rows` rows of one column, `length` apart; `step` is 1, or -1 from the end.
template <class Op, int Rows, class T> void scanRows(T *result, const T *x, int64_t length, int64_t step) {
  const Op op(0);
  const int64_t first = step > 0 ? 0 : length - 1;
  T acc[Rows];
  for (int row = 0; row < Rows; ++row)
    result[row * length + first] = acc[row] = x[row * length + first];
  for (int64_t count = 1, i = first + step; count < length; ++count, i += step)
    for (int row = 0; row < Rows; ++row)
      result[row * length + i] = acc[row] = op(acc[row], x[row * length + i]);
}

/// One [length][inner] with several columns.
template <class Op, class T>
void scanColumns(T *result, const T *x, int64_t length, int64_t inner, int64_t step) {
  const Op op(0);
  const int64_t first = step > 0 ? 0 : length - 1;
  if (result != x)
    __builtin_memcpy(result + first * inner, x + first * inner, static_cast<size_t>(inner) * sizeof(T));
  for (int64_t count = 1, i = first + step; count < length; ++count, i += step) {
    T *out = result + i * inner;
    const T *before = out - step * inner, *in = x + i * inner;
    TRISECT_LOOP for (int64_t c = 0; c < inner; ++c) out[c] = op(before[c], in[c]);
  }
}

template <class Op>
void runScan(void *result, const void *input, int64_t outer, int64_t length, int64_t inner, bool reverse) {
  using T = typename Op::Result;
  auto *r = static_cast<T *>(result);
  const auto *x = static_cast<const T *>(input);
  const int64_t step = reverse ? -1 : 1, size = length * inner;
  int64_t row = 0;
  if (inner == 1) {
    for (; row + 8 <= outer; row += 8)
      scanRows<Op, 8>(r + row * size, x + row * size, length, step);
    for (; row < outer; ++row)
      scanRows<Op, 1>(r + row * size, x + row * size, length, step);
  }
  for (; row < outer; ++row)
    scanColumns<Op>(r + row * size, x + row * size, length, inner, step);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_KERNELS_SCANLOOPS_H
