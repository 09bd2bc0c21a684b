//===- Micro.cpp - loops over batches, panels, rows and k -----------------------------------------------===//
#include "backends/cpu/dot/Micro.h"
#include "backends/cpu/emit/Evaluator.h"
#include "backends/cpu/emit/Types.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
/// Steps of k in one round of the loop.
constexpr int64_t unrolled = 4;

class MicroLoops {
public:
  MicroLoops(KernelState &state, const Product &product)
      : state(state), product(product), tile(product.tile), element(product.sums.element),
        vector(vectorOf(emittedType(element), tile.lanes)), bytes(memoryBytes(element)), evaluator(state, 1) {
    ArrayRef<int64_t> shape = product.sums.shape;
    batches = shape.size() == 3 ? shape[0] : 1;
    m = shape[shape.size() - 2];
    n = shape.back();
    k = product.left.shape.back();
    panel = tile.panel ? tile.panel : n;
    evaluator.nest.lanes = tile.lanes;
  }

  void run() {
    Code c = state.code();
    llvm::raw_string_ostream(state.plan)
        << "product [" << m << ", " << k << "] by [" << k << ", " << n << "]: tiles of " << tile.rows
        << " rows, " << tile.vectors << " vectors of " << tile.lanes << "\n";
    loop(c.i64(0), c.i64(batches), 1, [&](Value batch) {
      Code inner = state.code();
      Value columns = product.wanted.columns ? product.wanted.columns : inner.i64(n);
      loop(inner.i64(0), columns, tile.columns(), [&](Value column) { rows(batch, column); });
    });
  }

private:
  void loop(Value from, Value to, int64_t step, llvm::function_ref<void(Value)> body) {
    Code c = state.code();
    std::optional<int64_t> first = constantOf(from), last = constantOf(to);
    if (first && last && *last - *first == step)
      return body(from);
    auto made = c.b.create<scf::ForOp>(c.loc, from, to, c.i64(step));
    OpBuilder::InsertionGuard guard(c.b);
    c.b.setInsertionPointToStart(made.getBody());
    body(made.getInductionVar());
  }

  void rows(Value batch, Value column) {
    int64_t first = 0;
    for (const RowRun &run : rowRuns(tile, m)) {
      Code c = state.code();
      int64_t end = first + run.rows * run.count;
      Value last = c.i64(end);
      if (product.wanted.rows)
        last = c.make<arith::MinSIOp>(last, product.wanted.rows);
      loop(c.i64(first), last, run.rows, [&](Value row) { tileAt(batch, row, column, run.rows); });
      first = end;
    }
  }

  /// An address in scratch memory, in elements from the begin of a buffer.
  Value place(const Buffer &buffer, Value position) {
    Code c = state.code();
    Value base = c.add(state.scratch, c.i64(buffer.offset));
    return c.pointer(c.add(base, c.mul(position, c.i64(bytes))));
  }

  Value further(Value pointer, int64_t elements) {
    if (elements == 0)
      return pointer;
    Code c = state.code();
    return c.b.create<LLVM::GEPOp>(c.loc, pointer.getType(), c.i8(), pointer,
                                   ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(elements * bytes)});
  }

  Value further(Value pointer, Value elements) {
    Code c = state.code();
    return c.b.create<LLVM::GEPOp>(c.loc, pointer.getType(), c.i8(), pointer,
                                   ArrayRef<LLVM::GEPArg>{c.mul(elements, c.i64(bytes))});
  }

  Value load(Type type, Value pointer, unsigned alignment) {
    Code c = state.code();
    return c.b.create<LLVM::LoadOp>(c.loc, type, pointer, alignment);
  }

  unsigned wholeVector() const { return bytes * tile.lanes; }

  // The panel that a column lies in, and its place there.
  Value rightAt(Value batch, Value column) {
    Code c = state.code();
    Value position = c.mul(batch, c.i64(k * n));
    if (tile.panel == 0)
      return place(product.right, c.add(position, column));
    Value inside = c.both(column, c.i64(panel - 1));
    position = c.add(position, c.mul(c.sub(column, inside), c.i64(k)));
    return place(product.right, c.add(position, inside));
  }

  Value sumsAt(Value batch, Value row, Value column) {
    Code c = state.code();
    Value line = c.add(c.mul(batch, c.i64(m)), row);
    return place(product.sums, c.add(c.mul(line, c.i64(n)), column));
  }

  Value startOf(Value batch, Value row, Value column) {
    Index index;
    if (product.sums.shape.size() == 3)
      index.push_back(LaneValue::uniform(batch));
    index.push_back(LaneValue::uniform(row));
    index.push_back(tile.lanes == 1 ? LaneValue::uniform(column)
                                    : LaneValue::strided(column, state.code().i64(1)));
    Code c = state.code();
    return toVector(c, evaluator.at(product.start, index), tile.lanes);
  }

  void tileAt(Value batch, Value row, Value column, int64_t height) {
    Code c = state.code();
    Value left = place(product.left, c.mul(c.add(c.mul(batch, c.i64(m)), row), c.i64(k)));
    Value right = rightAt(batch, column), target = sumsAt(batch, row, column);
    SmallVector<Value> sums;
    for (int64_t i = 0; i < height; ++i)
      for (int64_t v = 0; v < tile.vectors; ++v)
        sums.push_back(product.start
                           ? startOf(batch, c.add(row, c.i64(i)), c.add(column, c.i64(v * tile.lanes)))
                           : load(vector, further(target, i * n + v * tile.lanes), wholeVector()));
    sums = along(left, right, sums, height);
    for (int64_t i = 0; i < height; ++i)
      for (int64_t v = 0; v < tile.vectors; ++v)
        c.b.create<LLVM::StoreOp>(c.loc, sums[i * tile.vectors + v], further(target, i * n + v * tile.lanes),
                                  wholeVector());
  }

  SmallVector<Value> along(Value left, Value right, const SmallVector<Value> &initial, int64_t height) {
    Code c = state.code();
    int64_t steps = std::min(k, unrolled);
    if (steps == k)
      return multiply(left, right, initial, height, steps);
    auto made = c.b.create<scf::ForOp>(c.loc, c.i64(0), c.i64(k), c.i64(steps), initial);
    OpBuilder::InsertionGuard guard(c.b);
    c.b.setInsertionPointToStart(made.getBody());
    Value step = made.getInductionVar();
    Value here = further(right, c.mul(step, c.i64(panel)));
    SmallVector<Value> sums(made.getRegionIterArgs().begin(), made.getRegionIterArgs().end());
    c.b.create<scf::YieldOp>(c.loc, multiply(further(left, step), here, sums, height, steps));
    return SmallVector<Value>(made.result_begin(), made.result_end());
  }

  SmallVector<Value> multiply(Value left, Value right, SmallVector<Value> sums, int64_t height,
                              int64_t steps) {
    Code c = state.code();
    for (int64_t u = 0; u < steps; ++u) {
      SmallVector<Value, 4> row;
      for (int64_t v = 0; v < tile.vectors; ++v)
        row.push_back(load(vector, further(right, u * panel + v * tile.lanes), wholeVector()));
      for (int64_t i = 0; i < height; ++i) {
        Value factor = load(emittedType(element), further(left, i * k + u), bytes);
        Value all = c.splat(factor, tile.lanes);
        for (int64_t v = 0; v < tile.vectors; ++v) {
          Value &sum = sums[i * tile.vectors + v];
          sum = isa<FloatType>(element) ? c.fma(all, row[v], sum) : c.add(c.mul(all, row[v]), sum);
        }
      }
    }
    return sums;
  }

  KernelState &state;
  const Product &product;
  const Tile &tile;
  Type element, vector;
  unsigned bytes;
  Evaluator evaluator;
  int64_t batches, m, n, k, panel;
};
} // namespace

void emitProduct(KernelState &state, const Product &product) { MicroLoops(state, product).run(); }

} // namespace trisect::cpu
