//===- Micro.cpp - loops over batches, panels, rows and k -----------------------------------------------===//
#include "backends/cpu/dot/Micro.h"
#include "backends/cpu/dot/TileRegisters.h"
#include "backends/cpu/dot/Together.h"
#include "backends/cpu/emit/Evaluator.h"
#include "backends/cpu/emit/Types.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
class MicroLoops {
public:
  MicroLoops(KernelState &state, const Product &product)
      : state(state), product(product), tile(product.tile), element(product.sums.element),
        vector(vectorOf(emittedType(element), tile.lanes)), bytes(memoryBytes(element)),
        factorBytes(memoryBytes(product.left.element)), together(product.form.together) {
    ArrayRef<int64_t> shape = product.sums.shape;
    batches = shape.size() == 3 ? shape[0] : 1;
    m = shape[shape.size() - 2];
    n = shape.back();
    k = product.left.shape.back();
    depth = product.right.pitch ? product.right.pitch : k;
    leftPitch = product.left.pitch ? product.left.pitch : k;
    panel = tile.panel ? tile.panel : n;
    // As many sums as 32 registers hold fill a round with two steps; four only took longer to compile.
    bool full = tile.rows * tile.vectors >= 16 && isa<FloatType>(element);
    unrolled = full ? stepsAtOnce / 2 : stepsAtOnce;
  }

  void run() {
    Code c = state.code();
    llvm::raw_string_ostream(state.plan)
        << "product [" << m << ", " << k << "] by [" << k << ", " << n << "]: tiles of " << tile.rows
        << " rows, " << tile.vectors << " vectors of " << tile.lanes << "\n";
    loop(c.i64(0), c.i64(batches), 1, [&](Value batch) {
      Code inner = state.code();
      columnsEnd = product.wanted.columns ? product.wanted.columns : inner.i64(n);
      if (rowsStay(state.machine))
        return forRows([&](Value row, int64_t height) {
          forColumns([&](Value column) { tileAt(batch, row, column, height); });
        });
      forColumns([&](Value column) {
        forRows([&](Value row, int64_t height) { tileAt(batch, row, column, height); });
      });
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

  void forColumns(llvm::function_ref<void(Value)> body) {
    loop(state.code().i64(0), columnsEnd, tile.columns(), body);
  }

  void forRows(llvm::function_ref<void(Value, int64_t)> body) {
    int64_t first = 0;
    for (const RowRun &run : rowRuns(tile, m)) {
      Code c = state.code();
      int64_t end = first + run.rows * run.count;
      Value last = c.i64(end);
      if (product.wanted.rows)
        last = c.make<arith::MinSIOp>(last, product.wanted.rows);
      loop(c.i64(first), last, run.rows, [&](Value row) { body(row, run.rows); });
      first = end;
    }
  }

  /// An address in scratch memory, in elements from the begin of a buffer.
  Value place(const Buffer &buffer, Value position) {
    Code c = state.code();
    Value bytes = c.mul(position, c.i64(memoryBytes(buffer.element)));
    return c.pointer(c.add(state.beginOf(buffer), bytes));
  }

  Value further(Value pointer, int64_t elements, int64_t bytes) {
    if (elements == 0)
      return pointer;
    Code c = state.code();
    return c.b.create<LLVM::GEPOp>(c.loc, pointer.getType(), c.i8(), pointer,
                                   ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(elements * bytes)});
  }

  Value further(Value pointer, Value elements, int64_t bytes) {
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
      return place(product.right, c.add(position, c.mul(column, c.i64(together))));
    Value inside = c.both(column, c.i64(panel - 1));
    position = c.add(position, c.mul(c.sub(column, inside), c.i64(depth)));
    return place(product.right, c.add(position, c.mul(inside, c.i64(together))));
  }

  Value sumsAt(Value batch, Value row, Value column) {
    Code c = state.code();
    Value line = c.add(c.mul(batch, c.i64(m)), row);
    return place(product.sums, c.add(c.mul(line, c.i64(n)), column));
  }

  Value startOf(Evaluator &evaluator, Value batch, Value row, Value column) {
    Index index;
    if (product.sums.shape.size() == 3)
      index.push_back(LaneValue::uniform(batch));
    index.push_back(LaneValue::uniform(row));
    index.push_back(tile.lanes == 1 ? LaneValue::uniform(column)
                                    : LaneValue::strided(column, state.code().i64(1)));
    Code c = state.code();
    return toVector(c, evaluator.at(product.start, index), tile.lanes);
  }

  // Where rows of the left factor begin, at k = 0.
  SmallVector<Value> leftAt(Value batch, Value row, int64_t height) {
    Code c = state.code();
    SmallVector<Value> starts;
    if (!product.rows.table) {
      Value first = place(product.left, c.mul(c.add(c.mul(batch, c.i64(m)), row), c.i64(leftPitch)));
      for (int64_t i = 0; i < height; ++i)
        starts.push_back(further(first, i * leftPitch, factorBytes));
      return starts;
    }
    for (int64_t i = 0; i < height; ++i)
      starts.push_back(c.pointer(c.add(listed(c.add(row, c.i64(i))), product.rows.moved)));
    return starts;
  }

  Value listed(Value row) {
    Code c = state.code();
    Value entry = c.pointer(c.add(product.rows.table, c.mul(row, c.i64(8))));
    return load(c.i64(), entry, 8);
  }

  void tileAt(Value batch, Value row, Value column, int64_t height) {
    Code c = state.code();
    SmallVector<Value> left = leftAt(batch, row, height);
    Value right = rightAt(batch, column), target = sumsAt(batch, row, column);
    SmallVector<Value> sums;
    Evaluator evaluator(state, tile.lanes); // what it keeps reaches no further than this tile's loop
    for (int64_t i = 0; i < height; ++i)
      for (int64_t v = 0; v < tile.vectors; ++v)
        sums.push_back(
            product.start
                ? startOf(evaluator, batch, c.add(row, c.i64(i)), c.add(column, c.i64(v * tile.lanes)))
                : load(vector, further(target, i * n + v * tile.lanes, bytes), wholeVector()));
    if (product.less)
      takeAway(column, sums);
    Value ahead;
    if (product.rows.ahead) {
      // Once for all columns: with the last of them.
      Value last = c.cmp(arith::CmpIPredicate::sge, c.add(column, c.i64(tile.columns())), columnsEnd);
      ahead = c.select(last, product.rows.ahead, c.i64(0));
    }
    sums = along(left, right, sums, [&](Value step) {
      if (ahead)
        prefetch(row, step, height, ahead);
    });
    for (int64_t i = 0; i < height; ++i)
      for (int64_t v = 0; v < tile.vectors; ++v)
        c.b.create<LLVM::StoreOp>(c.loc, sums[i * tile.vectors + v],
                                  further(target, i * n + v * tile.lanes, bytes), wholeVector());
  }

  void takeAway(Value column, SmallVectorImpl<Value> &sums) {
    Code c = state.code();
    Value first = place(*product.less, column);
    SmallVector<Value, 4> each;
    for (int64_t v = 0; v < tile.vectors; ++v) {
      each.push_back(load(vector, further(first, v * tile.lanes, bytes), wholeVector()));
      if (product.takesLess)
        each.back() = c.select(product.takesLess, each.back(), c.integer(vector, 0));
    }
    for (auto [i, sum] : llvm::enumerate(sums))
      sum = c.sub(sum, each[i % each.size()]);
  }

  // Asks for one line of what is multiplied next: over the steps that a line lasts, one row after the other.
  void prefetch(Value row, Value step, int64_t height, Value ahead) {
    Code c = state.code();
    int64_t turns = std::min<int64_t>(lineBytes / (factorBytes * unrolled), height);
    Value turn = c.both(c.shr(step, llvm::Log2_64(unrolled)), c.i64(llvm::bit_floor<uint64_t>(turns) - 1));
    Value address = c.add(c.add(listed(c.add(row, turn)), product.rows.moved), ahead);
    address = c.add(address, c.mul(step, c.i64(factorBytes)));
    c.prefetch(address, 2);
  }

  SmallVector<Value> along(ArrayRef<Value> left, Value right, const SmallVector<Value> &initial,
                           llvm::function_ref<void(Value)> each) {
    Code c = state.code();
    if (int64_t block = product.form.block)
      return alongBlocks(left, right, initial, block);
    int64_t steps = std::min(k, unrolled * together);
    if (steps == k && !product.to)
      return multiply(left, right, initial, 0, steps);
    Value from = product.from ? product.from : c.i64(0), to = product.to ? product.to : c.i64(k);
    return carry(from, to, steps, initial, [&](Value step, ValueRange sums) {
      each(step);
      Value here = further(right, state.code().mul(step, state.code().i64(panel)), factorBytes);
      SmallVector<Value> rows;
      for (Value row : left)
        rows.push_back(further(row, step, factorBytes));
      return multiply(rows, here, SmallVector<Value>(sums), 0, steps);
    });
  }

  /// A loop over steps of k that carries sums; its body yields them.
  SmallVector<Value> carry(Value from, Value to, int64_t step, ValueRange initial,
                           llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body) {
    Code c = state.code();
    auto made = c.b.create<scf::ForOp>(c.loc, from, to, c.i64(step), initial);
    OpBuilder::InsertionGuard guard(c.b);
    c.b.setInsertionPointToStart(made.getBody());
    c.b.create<scf::YieldOp>(c.loc, body(made.getInductionVar(), made.getRegionIterArgs()));
    return SmallVector<Value>(made.result_begin(), made.result_end());
  }

  // In each block the even and the odd steps add up from zero on.
  SmallVector<Value> alongBlocks(ArrayRef<Value> left, Value right, ArrayRef<Value> initial, int64_t block) {
    Code c = state.code();
    size_t count = initial.size();
    SmallVector<Value> zeros(2 * count, c.real(vector, 0.0));
    Value from = product.from ? product.from : c.i64(0), to = product.to ? product.to : c.i64(k);
    return carry(from, to, block, initial, [&](Value first, ValueRange before) {
      Code c = state.code();
      SmallVector<Value> both =
          carry(first, c.add(first, c.i64(block)), 2, zeros, [&](Value step, ValueRange sums) {
            SmallVector<Value> even(sums.take_front(count)), odd(sums.drop_front(count)), rows;
            for (Value row : left)
              rows.push_back(further(row, step, factorBytes));
            Value here = further(right, state.code().mul(step, state.code().i64(panel)), factorBytes);
            even = multiply(rows, here, even, 0, 1);
            if (block > 1) // a block of one step has no odd ones
              odd = multiply(rows, here, odd, 1, 2);
            even.append(odd);
            return even;
          });
      SmallVector<Value> sums(before);
      for (auto [i, sum] : llvm::enumerate(sums))
        sum = c.addf(sum, c.addf(both[i], both[count + i]));
      return sums;
    });
  }

  SmallVector<Value> multiply(ArrayRef<Value> left, Value right, SmallVector<Value> sums, int64_t first,
                              int64_t steps) {
    Code c = state.code();
    for (int64_t u = first; u < steps; u += together) {
      SmallVector<Value, 4> row;
      for (int64_t v = 0; v < tile.vectors; ++v) {
        int64_t place = u * panel + v * tile.lanes * together;
        row.push_back(load(vector, further(right, place, factorBytes), wholeVector()));
      }
      for (auto [i, start] : llvm::enumerate(left)) {
        Value factor = load(emittedType(element), further(start, u, factorBytes), bytes);
        Value all = c.splat(factor, tile.lanes);
        if (together > 1)
          all = leftTogether(c, together, all);
        for (int64_t v = 0; v < tile.vectors; ++v) {
          Value &sum = sums[i * tile.vectors + v];
          if (together > 1)
            sum = addTogether(c, together, sum, all, row[v]);
          else
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
  unsigned bytes, factorBytes;
  int64_t together;
  int64_t batches, m, n, k, panel;
  int64_t unrolled = 0;             ///< steps in a round of the loop over k
  int64_t depth = 0, leftPitch = 0; ///< rows of a panel; elements from row to row of the left factor
  Value columnsEnd;
};
} // namespace

void emitProduct(KernelState &state, const Product &product) {
  if (product.form.tiles)
    return emitTileProduct(state, product);
  MicroLoops(state, product).run();
}

} // namespace trisect::cpu
