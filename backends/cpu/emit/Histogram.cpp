//===- Histogram.cpp - tt.histogram ---------------------------------------------------------------------===//
//
// What: counts element by element. Neighbours count in tables of their own, which are added up at the end:
// two equal elements in a row would otherwise wait for one another. What is not counted goes to a place
// behind.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/emit/BlockEmitter.h"
#include "backends/cpu/emit/ElementLoops.h"
#include "backends/cpu/emit/GroupLoops.h"
#include "backends/cpu/emit/Types.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
constexpr int64_t mostTables = 4;

class Counter {
public:
  Counter(KernelState &state, tt::HistogramOp op) : state(state), op(op), loops(state) {
    shape = llvm::to_vector(ttShape(op.getSrc().getType()));
    bins = ttShape(op.getType())[0];
    element = ttElement(op.getType());
    tables = shape.empty() ? 1 : std::min<int64_t>(shape.back(), mostTables);
    lanes = static_cast<unsigned>(std::min<int64_t>(bins, chunkLanes));
    counts = state.makeBuffer(element, {tables * bins + 1});
    result = state.makeBuffer(element, {bins});
  }

  Buffer run() {
    overChunks(tables * bins, [&](const Index &chunk) {
      Value none = state.code().integer(vectorOf(emittedType(element), lanes), 0);
      loops.evaluator.writeBuffer(counts, chunk, LaneValue::lanes(none));
    });
    loops.forEach(ArrayRef(shape).drop_back(shape.empty() ? 0 : 1), [&](const Index &row) {
      if (shape.empty())
        return count(row, 0);
      loops.loop(0, shape.back(), tables, [&](LaneValue here) {
        for (int64_t table = 0; table < tables; ++table) {
          Index index = row;
          Code c = state.code();
          index.push_back({LaneValue::Kind::Uniform, c.add(here.value, c.i64(table)), {}, here.level});
          count(index, table);
        }
      });
    });
    overChunks(bins, [&](const Index &chunk) {
      Code c = state.code();
      Value sum;
      for (int64_t table = 0; table < tables; ++table) {
        Index place = chunk;
        place[0].value = c.add(place[0].value, c.i64(table * bins));
        Value part = toVector(c, loops.evaluator.readBuffer(counts, place), lanes);
        sum = sum ? c.add(sum, part) : part;
      }
      loops.evaluator.writeBuffer(result, chunk, LaneValue::lanes(sum));
    });
    return result;
  }

private:
  void overChunks(int64_t length, llvm::function_ref<void(const Index &)> body) {
    loops.evaluator.nest.lanes = lanes;
    loops.loop(0, length, lanes, [&](LaneValue here) {
      if (lanes > 1)
        here = {LaneValue::Kind::Strided, here.value, state.code().i64(1), here.level};
      body({here});
    });
    loops.evaluator.nest.lanes = 1;
  }

  void count(const Index &index, int64_t table) {
    Code c = state.code();
    Value bin = c.resize(loops.element(op.getSrc(), index), c.i64());
    // What lies outside the bins is undefined; here it is not counted.
    Value counted = c.cmp(arith::CmpIPredicate::ult, bin, c.i64(bins));
    if (op.getMask())
      counted = c.both(counted, loops.element(op.getMask(), index));
    Value place = c.select(counted, c.add(bin, c.i64(table * bins)), c.i64(tables * bins));
    Index at{LaneValue::uniform(place)};
    Value before = loops.evaluator.readBuffer(counts, at).value;
    loops.evaluator.writeBuffer(counts, at, LaneValue::uniform(c.add(before, c.integer(element, 1))));
  }

  KernelState &state;
  tt::HistogramOp op;
  ElementLoops loops;
  SmallVector<int64_t> shape;
  int64_t bins, tables;
  Type element;
  unsigned lanes;
  Buffer counts, result;
};
} // namespace

void BlockEmitter::emitHistogram(tt::HistogramOp op) {
  for (Value operand : op->getOperands())
    groups.require(operand);
  state.loc = op.getLoc();
  state.buffers[op.getResult()] = Counter(state, op).run();
  groups.markDone(op);
}

} // namespace trisect::cpu
