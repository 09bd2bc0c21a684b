//===- DotOps.cpp - matrix products ---------------------------------------------------------------------===//
//
// What: brings operands into rows of contiguous elements (in place where they already are) and calls the
// product kernel per batch.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Fetch.h"
#include "interp/exec/Handlers.h"
#include <algorithm>

namespace trisect::interp {

namespace {

struct Matrix {
  const char *data;
  int64_t batch;  ///< bytes between matrices
  int64_t row;    ///< elements between rows
  int64_t column; ///< elements between columns
};

/// Operand `n` as matrices, with contiguous rows unless `anyColumns`.
Matrix rowsOf(Instance &s, const Instr &i, unsigned n, Value &keep, bool anyColumns = false) {
  SlotId slot = s.operandSlot(i, n);
  const Shape &shape = s.shape(slot);
  unsigned size = byteSize(s.type(slot));
  int rank = shape.rank();
  const Value &value = s.slot(slot);
  int64_t strides[3];
  const char *data;
  if (value.form == Form::View && asView(value, shape, size, data, strides)) {
    int64_t row = strides[rank - 2], column = strides[rank - 1], step = size;
    bool inRows = column == step && row > 0;
    if (row % step == 0 && column % step == 0 && (inRows || (anyColumns && row == step && column > 0)))
      return {data, rank == 3 ? strides[0] : 0, row / step, column / step};
  }
  data = denseOperand(s, i, n, keep);
  int64_t columns = shape.dims[rank - 1];
  return {data, rank == 3 ? shape.dims[1] * columns * size : 0, columns, 1};
}

} // namespace

void dot(Instance &s, const Instr &i) {
  SlotId result = s.resultSlot(i);
  const Shape &shape = s.shape(result);
  int rank = shape.rank();
  const Shape &left = s.shape(s.operandSlot(i, 0));
  unsigned size = byteSize(s.type(result));
  DotArgs args{};
  args.m = shape.dims[rank - 2];
  args.n = shape.dims[rank - 1];
  args.k = left.dims[rank - 1];
  Value keepA, keepB, keepC;
  Matrix a = rowsOf(s, i, 0, keepA);
  Matrix b = rowsOf(s, i, 1, keepB, true);
  Value out;
  Value &accumulator = s.operand(i, 2);
  Matrix c{};
  bool fromZero = accumulator.isSplat() && accumulator.base == 0;
  if (!fromZero)
    c = rowsOf(s, i, 2, keepC);
  if (s.dies(i, 2) && accumulator.form == Form::Dense && accumulator.owned())
    out = std::move(accumulator);
  else if (keepC.form == Form::Dense && keepC.owned())
    out = keepC;
  else
    out.setDense(s.pool.acquire(shape.elements * size));
  Value scratch;
  scratch.setDense(s.pool.acquire(std::max<int64_t>(64, dotScratchBytes(args.m, args.n, args.k))));
  args.lda = a.row;
  args.ldb = b.row;
  args.ldc = c.row;
  args.ldd = args.n;
  args.columnB = b.column;
  int64_t batches = rank == 3 ? shape.dims[0] : 1;
  DotFn kernel = s.program.extra(i).dot[s.numerics];
  for (int64_t batch = 0; batch < batches; ++batch) {
    args.a = a.data + batch * a.batch;
    args.b = b.data + batch * b.batch;
    args.c = fromZero ? nullptr : c.data + batch * c.batch;
    args.d = out.data + batch * args.m * args.n * size;
    kernel(args, scratch.data);
  }
  keepC.drop();
  s.slot(result) = std::move(out);
}

} // namespace trisect::interp
