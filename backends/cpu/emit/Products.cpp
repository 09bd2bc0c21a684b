//===- Products.cpp - tt.dot as a register tile ---------------------------------------------------------===//
//
// What: both factors are copied into scratch memory in the accumulator's format, the right one in panels of
// 64 columns; a tile of 4 rows and 4 vectors of 16 columns stays in registers over all of K. Why: each
// element is one chain of fused multiply-adds in ascending k, as in tier 0, so that the bits agree. Limits:
// f32 factors are multiplied in full precision whatever inputPrecision allows.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/emit/Products.h"
#include "backends/cpu/emit/BlockEmitter.h"
#include "backends/cpu/emit/ElementLoops.h"
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/GroupLoops.h"
#include "backends/cpu/emit/Memory.h"
#include "backends/cpu/emit/Types.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
constexpr int64_t tileAccumulators = 16;

/// The loops around the register tile and the tile itself.
class TileProduct {
public:
  TileProduct(KernelState &state, Value start, const Buffer &a, const Buffer &b, const Buffer &d)
      : state(state), start(start), a(a), b(b), d(d), element(d.element), evaluator(state, 1) {
    ArrayRef<int64_t> shape = this->d.shape;
    batches = shape.size() == 3 ? shape[0] : 1;
    m = shape[shape.size() - 2];
    n = shape.back();
    k = a.shape.back();
    lanes = static_cast<unsigned>(std::min<int64_t>(n, chunkLanes));
    vectors = std::min<int64_t>(n / lanes, panelColumns / chunkLanes);
    rows = std::min<int64_t>(m, tileAccumulators / vectors);
    if (vectors == 1)
      rows = std::min<int64_t>(m, 8);
    evaluator.nest.lanes = lanes;
  }

  void run() {
    loop(batches, 1, [&](Value batch) {
      loop(n, lanes * vectors,
           [&](Value column) { loop(m, rows, [&](Value row) { tile(batch, row, column); }); });
    });
  }

private:
  void loop(int64_t extent, int64_t step, llvm::function_ref<void(Value)> body) {
    Code c = state.code();
    if (extent == step)
      return body(c.i64(0));
    auto made = c.b.create<scf::ForOp>(c.loc, c.i64(0), c.i64(extent), c.i64(step));
    OpBuilder::InsertionGuard guard(c.b);
    c.b.setInsertionPointToStart(made.getBody());
    body(made.getInductionVar());
  }

  Index index(Value batch, Value i, const LaneValue &j) {
    Index result;
    if (d.shape.size() == 3)
      result.push_back(LaneValue::uniform(batch));
    result.push_back(LaneValue::uniform(i));
    result.push_back(j);
    return result;
  }

  LaneValue columns(Value column, int64_t vector) {
    Code c = state.code();
    Value first = c.add(column, c.i64(vector * lanes));
    return lanes == 1 ? LaneValue::uniform(first) : LaneValue::strided(first, c.i64(1));
  }

  void tile(Value batch, Value row, Value column) {
    Code c = state.code();
    SmallVector<Value> sums;
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t v = 0; v < vectors; ++v) {
        Index at = index(batch, c.add(row, c.i64(i)), columns(column, v));
        LaneValue first = start ? evaluator.at(start, at) : evaluator.readBuffer(d, at);
        sums.push_back(toVector(c, first, lanes));
      }
    auto along = c.b.create<scf::ForOp>(c.loc, c.i64(0), c.i64(k), c.i64(1), sums);
    {
      OpBuilder::InsertionGuard guard(c.b);
      c.b.setInsertionPointToStart(along.getBody());
      Value step = along.getInductionVar();
      SmallVector<Value> right, next;
      for (int64_t v = 0; v < vectors; ++v)
        right.push_back(toVector(c, evaluator.readBuffer(b, index(batch, step, columns(column, v))), lanes));
      for (int64_t i = 0; i < rows; ++i) {
        Index at = index(batch, c.add(row, c.i64(i)), LaneValue::uniform(step));
        Value left = c.splat(evaluator.readBuffer(a, at).value, lanes);
        for (int64_t v = 0; v < vectors; ++v)
          next.push_back(multiplyAdd(left, right[v], along.getRegionIterArgs()[i * vectors + v]));
      }
      c.b.create<scf::YieldOp>(c.loc, next);
    }
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t v = 0; v < vectors; ++v) {
        Index at = index(batch, c.add(row, c.i64(i)), columns(column, v));
        evaluator.writeBuffer(d, at, LaneValue::lanes(along.getResult(i * vectors + v)));
      }
  }

  Value multiplyAdd(Value left, Value right, Value sum) {
    Code c = state.code();
    return isa<FloatType>(element) ? c.fma(left, right, sum) : c.add(c.mul(left, right), sum);
  }

  KernelState &state;
  Value start;
  Buffer a, b, d;
  Type element;
  Evaluator evaluator;
  int64_t batches, m, n, k, vectors, rows;
  unsigned lanes;
};
} // namespace

void emitTileProduct(KernelState &state, Value start, const Buffer &a, const Buffer &b, const Buffer &d) {
  TileProduct(state, start, a, b, d).run();
}

Buffer BlockEmitter::dotOperand(OpOperand &use, Type convertTo, int64_t panel) {
  Buffer buffer = state.makeBuffer(convertTo, ttShape(use.get().getType()), panel);
  groups.coverUse(use);
  groups.addCopy(use.get(), buffer, convertTo);
  return buffer;
}

// Where a product goes: in place over the start value if that is of this round and nothing else reads it.
Buffer BlockEmitter::productTarget(Operation *op, Value start) {
  groups.require(start);
  auto known = state.buffers.find(start);
  if (known != state.buffers.end() && start.getParentBlock() == op->getBlock() && groups.usersDone(start, op))
    return known->second;
  return state.makeBuffer(ttElement(start.getType()), ttShape(start.getType()));
}

// An accumulator of 16 bits is kept in f32 and rounded once, at the end.
void BlockEmitter::emitNarrowDot(tt::DotOp op) {
  Type wide = state.builder.getF32Type(), element = ttElement(op.getType());
  ArrayRef<int64_t> shape = ttShape(op.getType());
  OpOperand &start = op->getOpOperand(2);
  Buffer sums = dotOperand(start, wide, 0);
  Buffer a = dotOperand(op->getOpOperand(0), wide, 0);
  Buffer b = dotOperand(op->getOpOperand(1), wide, shape.back() > panelColumns ? panelColumns : 0);
  groups.flushAll();
  state.loc = op.getLoc();
  emitTileProduct(state, {}, a, b, sums);
  Buffer target = state.makeBuffer(element, shape);
  ElementLoops loops(state);
  int64_t length = shape.back();
  auto lanes = static_cast<unsigned>(std::min<int64_t>(length, chunkLanes));
  loops.evaluator.nest.lanes = lanes;
  loops.forEach(shape.drop_back(), [&](const Index &row) {
    loops.loop(0, length, lanes, [&](LaneValue here) {
      Code c = state.code();
      Index index = row;
      index.push_back(lanes > 1 ? LaneValue{LaneValue::Kind::Strided, here.value, c.i64(1), here.level}
                                : here);
      Value sum = toVector(c, loops.evaluator.readBuffer(sums, index), lanes);
      loops.evaluator.writeBuffer(target, index, LaneValue::lanes(convertFloat(c, sum, wide, element)));
    });
  });
  state.buffers[op.getResult()] = target;
  groups.markDone(op);
}

void BlockEmitter::emitDot(tt::DotOp op) {
  Type element = ttElement(op.getType());
  if (isNarrowFloat(element))
    return emitNarrowDot(op);
  if (!element.isF32() && !element.isF64() && !element.isIntOrIndex())
    unsupported(op, "with this accumulator type");
  ArrayRef<int64_t> shape = ttShape(op.getType());
  int64_t n = shape.back();
  OpOperand &left = op->getOpOperand(0), &right = op->getOpOperand(1), &start = op->getOpOperand(2);

  Buffer target = productTarget(op, start.get());
  Buffer a = dotOperand(left, element, 0);
  Buffer b = dotOperand(right, element, n > panelColumns ? panelColumns : 0);
  groups.flushAll();
  state.loc = op.getLoc();
  emitTileProduct(state, start.get(), a, b, target);
  state.buffers[op.getResult()] = target;
  groups.markDone(op);
}

} // namespace trisect::cpu
