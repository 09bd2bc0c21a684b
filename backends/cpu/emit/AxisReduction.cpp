//===- AxisReduction.cpp - reductions -------------------------------------------------------------------===//
//
// What: a reduction over the last axis joins the group of its input. One over another axis keeps 64
// accumulators for a chunk of result lanes in scratch memory: row i joins accumulator i mod 64, then they are
// folded in halves, as in tier 0.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/emit/BlockEmitter.h"
#include "backends/cpu/emit/ElementLoops.h"
#include "backends/cpu/emit/GroupLoops.h"
#include "backends/cpu/emit/Reduction.h"
#include "backends/cpu/emit/Types.h"

using namespace mlir;

namespace trisect::cpu {

void BlockEmitter::emitReduce(tt::ReduceOp op) {
  ArrayRef<int64_t> shape = ttShape(op->getOperand(0).getType());
  auto isOne = [](int64_t extent) { return extent == 1; };
  if (shape[op.getAxis()] != 1 && llvm::all_of(shape.drop_front(op.getAxis() + 1), isOne))
    groups.add(op);
  else
    emitAxisReduce(op);
}

namespace {
class AxisReducer {
public:
  AxisReducer(KernelState &state, tt::ReduceOp op) : state(state), op(op), loops(state) {
    shape = llvm::to_vector(ttShape(op->getOperand(0).getType()));
    axis = op.getAxis();
    laneDim = laneDimension(shape, axis);
    lanes = laneDim == axis ? 1 : static_cast<unsigned>(std::min<int64_t>(shape[laneDim], chunkLanes));
    loops.evaluator.nest.lanes = lanes;
    rows = std::min<int64_t>(shape[axis], chunkLanes * reduceChunks);
    for (Value operand : op->getOperands()) {
      Type element = ttElement(operand.getType());
      accumulators.push_back(state.makeBuffer(element, {rows, static_cast<int64_t>(lanes)}));
    }
    for (Value result : op->getResults())
      if (isa<RankedTensorType>(result.getType()))
        results.push_back(state.makeBuffer(ttElement(result.getType()), ttShape(result.getType())));
  }

  void run() {
    position.assign(shape.size(), LaneValue::uniform(state.code().i64(0)));
    outer(0);
    for (auto [value, buffer] : llvm::zip(op->getResults(), results))
      state.buffers[value] = buffer;
  }

private:
  void outer(size_t d) {
    if (d == shape.size())
      return fold();
    if (d == axis || shape[d] == 1)
      return outer(d + 1);
    bool isLane = d == laneDim;
    loops.loop(0, shape[d], isLane ? lanes : 1, [&](LaneValue here) {
      if (isLane && lanes > 1)
        here = {LaneValue::Kind::Strided, here.value, state.code().i64(1), here.level};
      position[d] = here;
      outer(d + 1);
    });
  }

  Parts inputs(const LaneValue &row) {
    Code c = state.code();
    position[axis] = row;
    Parts parts;
    for (Value operand : op->getOperands())
      parts.push_back(toVector(c, loops.evaluator.at(operand, position), lanes));
    return parts;
  }

  Index accumulatorIndex(const LaneValue &row) {
    Code c = state.code();
    LaneValue zero = LaneValue::uniform(c.i64(0));
    return {row, lanes > 1 ? LaneValue::strided(zero.value, c.i64(1)) : zero};
  }

  Parts readAccumulators(const LaneValue &row) {
    Code c = state.code();
    Parts parts;
    for (const Buffer &buffer : accumulators)
      parts.push_back(toVector(c, loops.evaluator.readBuffer(buffer, accumulatorIndex(row)), lanes));
    return parts;
  }

  void writeAccumulators(const LaneValue &row, const Parts &parts) {
    for (auto [buffer, part] : llvm::zip(accumulators, parts))
      loops.evaluator.writeBuffer(buffer, accumulatorIndex(row), LaneValue::lanes(part));
  }

  void fold() {
    Region &region = op->getRegion(0);
    loops.loop(0, rows, 1, [&](LaneValue row) { writeAccumulators(row, inputs(row)); });
    if (shape[axis] > rows)
      loops.loop(rows, shape[axis], 1, [&](LaneValue row) {
        Code c = state.code();
        LaneValue slot = LaneValue::uniform(c.both(row.value, c.i64(rows - 1)));
        writeAccumulators(slot, combine(state, region, readAccumulators(slot), inputs(row)));
      });
    for (int64_t half = rows / 2; half > 0; half /= 2)
      loops.loop(0, half, 1, [&](LaneValue row) {
        Code c = state.code();
        LaneValue other = LaneValue::uniform(c.add(row.value, c.i64(half)));
        writeAccumulators(row, combine(state, region, readAccumulators(row), readAccumulators(other)));
      });
    Parts total = readAccumulators(LaneValue::uniform(state.code().i64(0)));
    Index target = position;
    target.erase(target.begin() + axis);
    for (auto [i, value] : llvm::enumerate(op->getResults())) {
      if (results.empty())
        state.scalars[value] = total[i];
      else
        loops.evaluator.writeBuffer(results[i], target, LaneValue::lanes(total[i]));
    }
  }

  KernelState &state;
  tt::ReduceOp op;
  ElementLoops loops;
  SmallVector<int64_t> shape;
  size_t axis, laneDim;
  unsigned lanes;
  int64_t rows;
  SmallVector<Buffer> accumulators, results;
  Index position;
};
} // namespace

void BlockEmitter::emitAxisReduce(tt::ReduceOp op) {
  for (Value operand : op->getOperands())
    groups.require(operand);
  requireRegionInputs(op->getRegion(0));
  AxisReducer(state, op).run();
  groups.markDone(op);
}

} // namespace trisect::cpu
