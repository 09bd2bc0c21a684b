//===- Scans.cpp - tt.scan ------------------------------------------------------------------------------===//
//
// What: a scan goes step by step along its axis, for a chunk of lanes of another dimension at a time where
// there is one.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/emit/BlockEmitter.h"
#include "backends/cpu/emit/ElementLoops.h"
#include "backends/cpu/emit/GroupLoops.h"
#include "backends/cpu/emit/Reduction.h"
#include "backends/cpu/emit/Types.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
class Scanner {
public:
  Scanner(KernelState &state, tt::ScanOp op, ArrayRef<Buffer> results)
      : state(state), op(op), results(results), loops(state) {
    shape = llvm::to_vector(ttShape(op->getOperand(0).getType()));
    axis = op.getAxis();
    laneDim = laneDimension(shape, axis);
    if (laneDim != axis)
      lanes = static_cast<unsigned>(std::min<int64_t>(shape[laneDim], chunkLanes));
    loops.evaluator.nest.lanes = lanes;
    position.assign(shape.size(), LaneValue::uniform(state.code().i64(0)));
  }

  void outer(size_t d) {
    if (d == shape.size())
      return along();
    if (d == axis)
      return outer(d + 1);
    bool isLane = d == laneDim;
    loops.loop(0, shape[d], isLane ? lanes : 1, [&](LaneValue here) {
      if (isLane && lanes > 1)
        here = {LaneValue::Kind::Strided, here.value, state.code().i64(1), here.level};
      position[d] = here;
      outer(d + 1);
    });
  }

private:
  Parts inputs() {
    Code c = state.code();
    Parts parts;
    for (Value operand : op->getOperands())
      parts.push_back(toVector(c, loops.evaluator.at(operand, position), lanes));
    return parts;
  }

  void store(const Parts &parts) {
    for (auto [buffer, part] : llvm::zip(results, parts))
      loops.evaluator.writeBuffer(buffer, position, LaneValue::lanes(part));
  }

  void along() {
    Code c = state.code();
    int64_t length = shape[axis];
    bool reverse = op.getReverse();
    position[axis] = LaneValue::uniform(c.i64(reverse ? length - 1 : 0));
    Parts first = inputs();
    store(first);
    if (length == 1)
      return;
    SmallVector<Value> initial(first.begin(), first.end());
    auto made = c.b.create<scf::ForOp>(c.loc, c.i64(1), c.i64(length), c.i64(1), initial);
    OpBuilder::InsertionGuard guard(c.b);
    c.b.setInsertionPointToStart(made.getBody());
    loops.evaluator.nest.loops.push_back(made);
    Value step = made.getInductionVar();
    position[axis] = LaneValue::uniform(reverse ? c.sub(c.i64(length - 1), step) : step);
    position[axis].level = loops.evaluator.nest.loops.size();
    Parts carried(made.getRegionIterArgs().begin(), made.getRegionIterArgs().end());
    Parts next = combine(state, op->getRegion(0), carried, inputs());
    store(next);
    c.b.create<scf::YieldOp>(c.loc, SmallVector<Value>(next.begin(), next.end()));
    loops.evaluator.nest.loops.pop_back();
  }

  KernelState &state;
  tt::ScanOp op;
  ArrayRef<Buffer> results;
  ElementLoops loops;
  SmallVector<int64_t> shape;
  size_t axis, laneDim;
  unsigned lanes = 1;
  Index position;
};
} // namespace

// The values of other blocks that a combine region reads must be there before its loops.
void BlockEmitter::requireRegionInputs(Region &region) {
  region.walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (!region.isAncestor(operand.getParentRegion()))
        groups.require(operand);
  });
}

void BlockEmitter::emitScan(tt::ScanOp op) {
  for (Value operand : op->getOperands())
    groups.require(operand);
  requireRegionInputs(op->getRegion(0));
  SmallVector<Buffer> results;
  for (Value result : op->getResults())
    results.push_back(state.makeBuffer(ttElement(result.getType()), ttShape(result.getType())));
  state.loc = op.getLoc();
  Scanner(state, op, results).outer(0);
  for (auto [result, buffer] : llvm::zip(op->getResults(), results))
    state.buffers[result] = buffer;
  groups.markDone(op);
}

} // namespace trisect::cpu
