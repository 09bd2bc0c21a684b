//===- Loads.cpp - a load of a group, lane by lane ------------------------------------------------------===//
#include "backends/cpu/emit/Loads.h"
#include "backends/cpu/emit/Memory.h"
#include "backends/cpu/emit/Types.h"

namespace trisect::cpu {

void emitLoad(KernelState &state, Evaluator &evaluator, tt::LoadOp op, const Index &index, bool allOn) {
  Code c = state.code();
  MemoryMask mask;
  if (op.getMask() && !allOn) {
    mask.condition = evaluator.at(op.getMask(), index);
    if (op.getOther())
      mask.other = evaluator.at(op.getOther(), index);
  }
  LaneValue address = evaluator.at(op.getPtr(), index);
  LaneValue result = loadLanes(c, address, ttElement(op.getType()), mask, evaluator.nest.lanes);
  for (const LaneValue &here : index)
    result.level = std::max(result.level, here.level);
  evaluator.remember(op.getResult(), index, result);
}

} // namespace trisect::cpu
