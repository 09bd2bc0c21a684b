//===- Reach.cpp - counts of lanes, and what lies beyond them -------------------------------------------===//
#include "backends/cpu/emit/Reach.h"
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/emit/ValidCount.h"
#include "backends/cpu/plan/MaskBounds.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
Value maskOf(const Action &action) {
  if (auto load = dyn_cast_or_null<tt::LoadOp>(action.op))
    return load.getMask();
  auto store = dyn_cast_or_null<tt::StoreOp>(action.op);
  return store ? store.getMask() : Value();
}

/// Values of a group that are the same in all lanes from some position on.
class Evenness {
public:
  Evenness(const KernelState &state, const Group &group) : state(state) {
    for (const Action &action : group.actions)
      if (Value mask = maskOf(action))
        known[mask] = true;
    for (const Action &action : group.actions)
      if (auto load = dyn_cast_or_null<tt::LoadOp>(action.op))
        known[load.getResult()] = load.getMask() && load.getOther() && of(load.getOther());
  }

  bool of(Value value) {
    if (!isa<RankedTensorType>(value.getType()))
      return true;
    if (auto found = known.find(value); found != known.end())
      return found->second;
    bool even = find(value);
    known[value] = even;
    return even;
  }

  /// From where on buffers and masks of earlier groups are, of those that were asked for.
  SmallVector<Value> positions;

private:
  bool find(Value value) {
    if (auto found = state.evenFrom.find(value); found != state.evenFrom.end()) {
      positions.push_back(found->second);
      return true;
    }
    Operation *op = value.getDefiningOp();
    if (!op || state.buffers.count(value) || state.inductions.count(value))
      return false;
    if (isUniformBlock(value))
      return true;
    return isElementwise(op) && llvm::all_of(op->getOperands(), [&](Value operand) { return of(operand); });
  }

  const KernelState &state;
  llvm::DenseMap<Value, bool> known;
};

/// From where on all that a group reduces and keeps is the same, if its masks are off from `most` on; null:
/// from nowhere on.
Value evenFrom(KernelState &state, const Group &group, ArrayRef<std::pair<Value, Buffer>> kept, bool masked,
               Value most) {
  Evenness even(state, group);
  for (const Action &action : group.actions)
    if (action.kind == Action::Kind::Copy ||
        (action.kind == Action::Kind::Reduce &&
         !llvm::all_of(action.op->getOperands(), [&](Value operand) { return even.of(operand); })))
      return {};
  if (!llvm::all_of(kept, [&](const auto &entry) { return even.of(entry.first); }))
    return {};
  if (!masked && even.positions.empty())
    return {};
  Code code = state.code();
  for (Value position : even.positions)
    most = code.make<arith::MaxSIOp>(most, position);
  return most;
}

/// How many lanes of a mask are on, from the first one on; nulls if that is not known.
ValidCount countOf(KernelState &state, Value mask, Value length) {
  MaskBounds found = boundsOfMask(mask);
  if (ttShape(mask.getType()).size() != 1 || !found.complete)
    return {};
  Code code = state.code();
  ValidCount count{length, length};
  for (const Bound &bound : found.bounds) {
    ValidCount each = emitValidCount(state, bound);
    if (!each.least)
      return {};
    count.least = code.make<arith::MinSIOp>(count.least, each.least);
    count.most = code.make<arith::MinSIOp>(count.most, each.most);
  }
  return count;
}
} // namespace

Reach reachOf(KernelState &state, const Group &group, ArrayRef<std::pair<Value, Buffer>> kept) {
  Code code = state.code();
  Value length = code.i64(group.space.back()), none = code.i64(0), some = none;
  Reach reach{length, none};
  llvm::SmallDenseMap<Value, ValidCount> counts; // most accesses of a group have the same mask
  for (const Action &action : group.actions) {
    ValidCount count{length, length};
    if (Value mask = maskOf(action)) {
      auto [known, isNew] = counts.try_emplace(mask);
      if (isNew)
        known->second = countOf(state, mask, length);
      count = known->second;
      if (!count.least)
        return {};
      if (isNew)
        reach.all = code.make<arith::MinSIOp>(reach.all, count.least);
      reach.masked = true;
    }
    auto load = dyn_cast_or_null<tt::LoadOp>(action.op);
    bool lasts = isa_and_nonnull<tt::StoreOp>(action.op) || action.kind == Action::Kind::Copy ||
                 (load && load.getIsVolatile());
    if (lasts)
      reach.any = code.make<arith::MaxSIOp>(reach.any, count.most);
    if (lasts || load)
      some = code.make<arith::MaxSIOp>(some, count.most);
  }
  reach.some = evenFrom(state, group, kept, reach.masked, some);
  return reach.masked || reach.some ? reach : Reach();
}

void noteEven(KernelState &state, const Group &group, ArrayRef<std::pair<Value, Buffer>> kept,
              const Reach &reach) {
  if (!reach.some)
    return;
  for (const auto &[result, buffer] : kept)
    state.evenFrom[result] = reach.some;
  for (const Action &action : group.actions)
    if (Value mask = maskOf(action))
      state.evenFrom[mask] = reach.some;
}

void turnOff(KernelState &state, Evaluator &evaluator, const Group &group,
             llvm::function_ref<Index(Value)> indexFor) {
  Code code = state.code();
  LaneValue off = LaneValue::uniform(code.integer(code.i1(), 0));
  for (const Action &action : group.actions)
    if (Value mask = maskOf(action))
      evaluator.remember(mask, indexFor(mask), off);
  for (const Action &action : group.actions) {
    auto load = dyn_cast_or_null<tt::LoadOp>(action.op);
    if (load && load.getMask() && load.getOther())
      evaluator.remember(load.getResult(), indexFor(load.getResult()),
                         evaluator.at(load.getOther(), indexFor(load.getOther())));
  }
}

} // namespace trisect::cpu
