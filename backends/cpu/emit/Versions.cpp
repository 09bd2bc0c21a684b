//===- Versions.cpp - one version for full masks, one for others ----------------------------------------===//
#include "backends/cpu/emit/Versions.h"
#include "backends/cpu/emit/Choice.h"
#include "backends/cpu/emit/GroupLoops.h"
#include "backends/cpu/emit/Masks.h"
#include "backends/cpu/emit/PathMarks.h"

using namespace mlir;

namespace trisect::cpu {

Value allMasksOn(KernelState &state, const Group &group, bool &anyMask) {
  Code code = state.code();
  llvm::SmallPtrSet<void *, 4> seen;
  Value all = code.integer(code.i1(), 1);
  anyMask = false;
  for (const Action &action : group.actions) {
    Value mask;
    if (auto load = dyn_cast_or_null<tt::LoadOp>(action.op))
      mask = load.getMask();
    else if (auto store = dyn_cast_or_null<tt::StoreOp>(action.op))
      mask = store.getMask();
    if (!mask || !seen.insert(mask.getAsOpaquePointer()).second)
      continue;
    anyMask = true;
    // A mask made in this group is not known before it.
    if (group.members.contains(mask.getDefiningOp()))
      return {};
    Value on = emitAllTrue(state, mask);
    if (!on)
      return {};
    all = code.both(all, on);
  }
  return all;
}

SmallVector<Value> either(Code code, Value condition, TypeRange types,
                          std::pair<llvm::StringRef, llvm::StringRef> paths,
                          llvm::function_ref<SmallVector<Value>(bool)> body) {
  std::optional<int64_t> known = condition ? constantOf(condition) : 1;
  if (known)
    return body(*known != 0);
  scf::IfOp branch = eitherWay(code, types, condition, body);
  markPaths(branch, paths.first, paths.second);
  return SmallVector<Value>(branch.result_begin(), branch.result_end());
}

void emitVersions(KernelState &state, const Group &group,
                  llvm::function_ref<void(bool, const OpSet &)> body) {
  Code code = state.code();
  bool anyMask = false;
  Value allOn = allMasksOn(state, group, anyMask);
  if (!allOn)
    allOn = code.integer(code.i1(), 0);
  Widenings widenings = findWidenings(state, group, chunkLanes);
  OpSet all = widenings.always;
  all.insert(widenings.ifHolds.begin(), widenings.ifHolds.end());
  auto once = [&](bool on, const OpSet &steady) {
    body(on, steady);
    return SmallVector<Value>();
  };
  either(code, widenings.holds, {}, {"no index wraps", "an index may wrap"}, [&](bool holds) {
    if (!holds)
      return once(!anyMask, widenings.always);
    return either(code, allOn, {}, {"all lanes on", "some lanes off"},
                  [&](bool on) { return once(on, all); });
  });
}

} // namespace trisect::cpu
