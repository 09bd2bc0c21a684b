//===- Space.cpp - boundaries of dimensions, through operations -----------------------------------------===//
#include "backends/cpu/plan/Space.h"
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/GroupLoops.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/plan/Exchange.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
/// From boundaries of a shape to those between its dimensions longer than one.
Cuts compressed(const Cuts &cuts, ArrayRef<int64_t> shape) {
  Cuts result(shape.size() + 1);
  unsigned longer = 0;
  bool pending = false;
  for (size_t d = 0; d < shape.size(); ++d) {
    pending |= cuts.test(d);
    if (shape[d] == 1)
      continue;
    if (pending && longer > 0)
      result.set(longer);
    pending = false;
    ++longer;
  }
  return result;
}

/// Adds the cuts of an operand whose dimensions are those of the result, or one where it is repeated.
void addInner(Cuts &cuts, const Cuts &inner, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  unsigned longer = 0, longerInner = 0;
  for (auto [extent, innerExtent] : llvm::zip(to, from)) {
    if (innerExtent != 1 && longerInner < inner.size() && inner.test(longerInner) && longer > 0)
      cuts.set(longer);
    longerInner += innerExtent != 1;
    longer += extent != 1;
  }
}

Cuts everywhere(size_t rank) {
  Cuts all(rank + 1);
  return all.set(0, rank + 1);
}
} // namespace

Cuts ownCuts(Operation *op, ArrayRef<int64_t> shape) {
  Cuts cuts(shape.size() + 1);
  if (auto broadcast = dyn_cast<tt::BroadcastOp>(op)) {
    ArrayRef<int64_t> from = ttShape(broadcast.getSrc().getType());
    std::optional<bool> before;
    for (size_t d = 0; d < shape.size(); ++d) {
      if (shape[d] == 1)
        continue;
      bool repeats = from[d] != shape[d];
      if (before && *before != repeats)
        cuts.set(d);
      before = repeats;
    }
  } else if (auto gather = dyn_cast<tt::GatherOp>(op)) {
    cuts.set(gather.getAxis());
    cuts.set(gather.getAxis() + 1);
  } else if (isa<tt::JoinOp>(op)) {
    cuts.set(shape.size() - 1);
  } else if (isa<tt::CatOp>(op)) {
    cuts.set(1);
  } else if (isa<tt::TransOp>(op)) {
    return everywhere(shape.size());
  }
  return cuts;
}

const Cuts &CutFinder::of(Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Cuts cuts = compute(value);
  return known[value] = std::move(cuts);
}

Cuts CutFinder::compute(Value value) {
  ArrayRef<int64_t> shape = ttShape(value.getType());
  Cuts none(shape.size() + 1);
  if (shape.size() < 2 || stored(value))
    return none;
  if (Value first = start(value))
    return of(first);
  Operation *op = value.getDefiningOp();
  return op ? throughOperation(op, shape) : none;
}

Cuts CutFinder::throughOperation(Operation *op, ArrayRef<int64_t> shape) {
  if (tt::GatherOp inChunk = exchangeInChunk(op->getResult(0)))
    return of(inChunk.getSrc());
  Cuts cuts = compressed(ownCuts(op, shape), shape);
  if (isa<tt::ReshapeOp, tt::TransOp>(op))
    return cuts;
  for (Value operand : op->getOperands()) {
    SmallVector<int64_t> from(ttShape(operand.getType()));
    if (auto expand = dyn_cast<tt::ExpandDimsOp>(op))
      from.insert(from.begin() + expand.getAxis(), 1);
    else if (isa<tt::SplitOp>(op))
      from.pop_back();
    from.resize(shape.size(), 1);
    addInner(cuts, of(operand), from, shape);
  }
  return cuts;
}

SmallVector<Run, 4> runsOf(ArrayRef<int64_t> space, const Cuts &cuts, bool flat) {
  SmallVector<Run, 4> runs; // the innermost first
  auto cutAt = [&](size_t boundary) {
    if (boundary >= cuts.size() || !cuts.test(boundary))
      return false;
    return !flat || (runs.size() == 1 && runs.back().extent >= chunkLanes);
  };
  for (size_t d = space.size(); d-- > 0;) {
    if (runs.empty() || cutAt(d + 1))
      runs.emplace_back();
    runs.back().extent *= space[d];
    ++runs.back().dimensions;
  }
  std::reverse(runs.begin(), runs.end());
  return runs;
}

} // namespace trisect::cpu
