//===- LaterRows.cpp - what a reduction of rows asks for ahead ------------------------------------------===//
#include "backends/cpu/emit/LaterRows.h"
#include "backends/cpu/emit/ElementLoops.h"
#include "backends/cpu/emit/GroupLoops.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/plan/Slope.h"
#include "backends/cpu/plan/Upcoming.h"

using namespace mlir;

namespace trisect::cpu {

SmallVector<tt::LoadOp, 1> laterRows(KernelState &state, const Group &group, unsigned lanes) {
  bool reduces =
      llvm::any_of(group.actions, [](const Action &action) { return action.kind == Action::Kind::Reduce; });
  int64_t elements = static_cast<int64_t>(lanes) * reduceChunks; // of a step
  bool rows = reduces && !group.rare && group.space.size() == 1 && group.space.front() > elements;
  auto followOn = [](tt::LoadOp load) {
    ArrayRef<int64_t> shape = ttShape(load.getType());
    size_t last = shape.size() - 1;
    while (last > 0 && shape[last] == 1)
      --last;
    return slopeAlong(load.getPtr(), static_cast<int64_t>(last)) == 1;
  };
  SmallVector<tt::LoadOp, 1> found;
  for (const Action &action : group.actions) {
    auto load = dyn_cast_or_null<tt::LoadOp>(action.op);
    // Only the first loop finds a row in memory.
    if (load && state.rowsRead.insert(load).second && rows && followOn(load) && movesOf(load) != Moves::No &&
        group.space.front() * memoryBytes(ttElement(load.getType())) >= leastRow)
      found.push_back(load);
  }
  if (!found.empty())
    state.plan += "later rows are asked for\n";
  return found;
}

void askForLaterRow(KernelState &state, const LaneValue &address, Type element, int64_t length) {
  int64_t bytes = memoryBytes(element);
  if (!address.isStrided() || constantOf(address.stride) != bytes)
    return;
  Code c = state.code();
  Value begin = c.add(address.value, c.i64(upcomingBytes));
  ElementLoops(state).loop(0, length * bytes, pageBytes, [&](const LaneValue &page) {
    c.prefetch(c.add(begin, page.value), 2); // the first cache is small
  });
}

} // namespace trisect::cpu
