//===- DotOps.cpp - matrix products ---------------------------------------------------------------------===//
//
// What: brings operands into rows of contiguous elements (in place where they already are) and calls the
// product kernel per batch; where one program runs at a time, idle threads take a share of the rows, which
// changes no bit, since each element is one chain of its own.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/support/MemoryGuard.h"
#include "core/support/Threads.h"
#include "interp/exec/Fetch.h"
#include "interp/ops/Handlers.h"
#include <algorithm>
#include <atomic>
#include <new>

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

/// Products of elements below which a thread would come too late to help.
constexpr int64_t worthSharing = int64_t(1) << 19;
/// Rows of a share are a multiple of this: whole register tiles, but for the last of AVX2.
constexpr int64_t rowsTogether = 8;

/// One product, cut by rows into at most `threads` shares.
class SharedProduct {
public:
  SharedProduct(DotFn kernel, unsigned sizeA, unsigned size, int threads, const DotArgs &args)
      : kernel(kernel), sizeA(sizeA), size(size),
        threads(args.m * args.n * args.k < worthSharing ? 1 : threads) {
    int64_t rows = (args.m + this->threads - 1) / this->threads;
    share = this->threads == 1 ? args.m : (rows + rowsTogether - 1) / rowsTogether * rowsTogether;
    shares = (args.m + share - 1) / share;
    scratchEach = (std::max<int64_t>(64, dotScratchBytes(share, args.n, args.k)) + 63) / 64 * 64;
  }

  int64_t scratchBytes() const { return scratchEach * shares; }

  void run(const DotArgs &args, char *scratch) const {
    if (shares == 1)
      return kernel(args, scratch);
    // Operands may lie in memory of the caller: what another thread cannot read is read again by this one,
    // whose guard makes the report.
    std::atomic<int64_t> next{0};
    std::atomic<int64_t> failed{-1};
    onThreads(static_cast<int>(shares), [&](int) {
      for (int64_t n; (n = next.fetch_add(1)) < shares;)
        if (!tryPart(args, n, scratch))
          failed = n;
    });
    if (failed >= 0)
      part(args, failed, scratch);
  }

private:
  /// False if memory cannot be read, or there is none for the thread.
  bool tryPart(const DotArgs &args, int64_t n, char *scratch) const {
    try {
      return !guarded([&] { part(args, n, scratch); });
    } catch (const std::bad_alloc &) {
      return false;
    }
  }

  void part(DotArgs args, int64_t n, char *scratch) const {
    int64_t row = n * share;
    args.m = std::min(share, args.m - row);
    args.a = static_cast<const char *>(args.a) + row * args.lda * sizeA;
    if (args.c)
      args.c = static_cast<const char *>(args.c) + row * args.ldc * size;
    args.d = static_cast<char *>(args.d) + row * args.ldd * size;
    kernel(args, scratch + n * scratchEach);
  }

  DotFn kernel;
  int64_t sizeA, size;
  int threads;
  int64_t share, shares, scratchEach;
};

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
  // A block may be factor and accumulator at once.
  bool factor = s.operandSlot(i, 2) == s.operandSlot(i, 0) || s.operandSlot(i, 2) == s.operandSlot(i, 1);
  if (s.dies(i, 2) && !factor && accumulator.form == Form::Dense && accumulator.owned())
    out = std::move(accumulator);
  else if (keepC.form == Form::Dense && keepC.owned())
    out = keepC;
  else
    out.setDense(s.pool.acquire(shape.elements * size));
  SharedProduct product(s.program.extra(i).dot[s.numerics], byteSize(s.type(s.operandSlot(i, 0))), size,
                        s.threads, args);
  Value scratch;
  scratch.setDense(s.pool.acquire(product.scratchBytes()));
  args.lda = a.row;
  args.ldb = b.row;
  args.ldc = c.row;
  args.ldd = args.n;
  args.columnB = b.column;
  int64_t batches = rank == 3 ? shape.dims[0] : 1;
  for (int64_t batch = 0; batch < batches; ++batch) {
    args.a = a.data + batch * a.batch;
    args.b = b.data + batch * b.batch;
    args.c = fromZero ? nullptr : c.data + batch * c.batch;
    args.d = out.data + batch * args.m * args.n * size;
    product.run(args, scratch.data);
  }
  keepC.drop();
  s.slot(result) = std::move(out);
}

} // namespace trisect::interp
