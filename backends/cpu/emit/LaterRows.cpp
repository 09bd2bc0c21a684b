//===- LaterRows.cpp - what a reduction of rows asks for ahead ------------------------------------------===//
#include "backends/cpu/emit/LaterRows.h"
#include "backends/cpu/emit/GroupLoops.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/plan/Upcoming.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace trisect::cpu {

OpSet laterRows(KernelState &state, const Group &group, unsigned lanes) {
  bool reduces = llvm::any_of(
      group.actions, [](const Action &action) { return action.kind == Action::Kind::Reduce; });
  int64_t elements = static_cast<int64_t>(lanes) * reduceChunks; // of a step
  bool rows = reduces && !group.rare && group.space.size() == 1 && group.space.front() > elements;
  OpSet found;
  for (const Action &action : group.actions) {
    auto load = dyn_cast_or_null<tt::LoadOp>(action.op);
    // Only the first loop finds a row in memory.
    if (load && state.rowsRead.insert(load).second && rows && movesOf(load) != Moves::No &&
        elements * memoryBytes(ttElement(load.getType())) >= upcomingStep)
      found.insert(load);
  }
  if (!found.empty())
    state.plan += "later rows are asked for\n";
  return found;
}

void askForLaterRow(Code &code, const LaneValue &address, Type element) {
  if (!address.isStrided() || constantOf(address.stride) != memoryBytes(element))
    return;
  // Into the second cache: the first one is small.
  code.b.create<LLVM::Prefetch>(code.loc, code.pointer(code.add(address.value, code.i64(upcomingBytes))),
                                /*rw=*/0, /*hint=*/2, /*cache=*/1);
}

} // namespace trisect::cpu
