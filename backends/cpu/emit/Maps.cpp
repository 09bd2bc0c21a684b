//===- Maps.cpp - tt.map_elementwise --------------------------------------------------------------------===//
//
// What: calls the region for each group of `pack` elements that follow one another in row-major order.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/emit/BlockEmitter.h"
#include "backends/cpu/emit/ElementLoops.h"
#include "backends/cpu/emit/Types.h"

using namespace mlir;

namespace trisect::cpu {

void BlockEmitter::emitMap(tt::MapElementwiseOp op) {
  for (Value operand : op->getOperands())
    groups.require(operand);
  requireRegionInputs(op->getRegion(0));
  groups.flushAll(); // the region may touch memory
  state.loc = op.getLoc();
  ArrayRef<int64_t> shape = ttShape(op->getOperand(0).getType());
  int64_t elements = 1, pack = op.getPack();
  for (int64_t extent : shape)
    elements *= extent;
  SmallVector<Buffer> results;
  for (Value result : op->getResults())
    results.push_back(state.makeBuffer(ttElement(result.getType()), shape));

  ElementLoops loops(state);
  loops.loop(0, elements / pack, 1, [&](LaneValue here) {
    Code c = state.code();
    SmallVector<Index> places;
    for (int64_t n = 0; n < pack; ++n) {
      LaneValue position = LaneValue::uniform(c.add(c.mul(here.value, c.i64(pack)), c.i64(n)));
      position.level = here.level;
      places.push_back(indexAt(c, position, shape, 1));
    }
    SmallVector<Value> arguments;
    for (Value operand : op->getOperands())
      for (const Index &place : places)
        arguments.push_back(loops.element(operand, place));
    SmallVector<Value> made = state.callRegion(op->getRegion(0), arguments);
    for (auto [n, buffer] : llvm::enumerate(results))
      for (auto [k, place] : llvm::enumerate(places))
        loops.evaluator.writeBuffer(buffer, place, LaneValue::uniform(made[n * pack + k]));
  });
  for (auto [result, buffer] : llvm::zip(op->getResults(), results))
    state.buffers[result] = buffer;
  op->walk([&](Operation *inner) { groups.markDone(inner); });
}

} // namespace trisect::cpu
