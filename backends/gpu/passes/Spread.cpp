//===- Spread.cpp - layouts spread from anchors ---------------------------------------------------------===//
#include "backends/gpu/passes/Spread.h"
#include "backends/gpu/passes/LayoutRules.h"
#include "core/ir/TypeUtils.h"
#include <map>

using namespace mlir;

namespace trisect::gpu {

namespace {
bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }
} // namespace

Spread::Spread(tt::FuncOp function, const RegionTies &ties, Threads threads) : ties(ties) {
  std::vector<Anchor> found = findAnchors(function, threads);
  for (const Anchor &anchor : found)
    if (!anchor.weak)
      anchors.try_emplace(anchor.op, LayoutAttr::get(function.getContext(), anchor.layout));
  for (const Anchor &anchor : found)
    if (!anchor.weak)
      placeAnchor(anchor);
  for (const Anchor &anchor : found)
    if (anchor.weak)
      placeAnchor(anchor);
  placeTheRest(function, threads);
}

const Layout *Spread::anchored(Operation *op) const {
  auto found = anchors.find(op);
  return found == anchors.end() ? nullptr : &found->second.getLayout();
}

void Spread::place(Value value, const Layout &layout) {
  if (!isTensor(value))
    return;
  Value owner = ties.ownerOf(value);
  if (chosen.try_emplace(owner, LayoutAttr::get(value.getContext(), layout)).second)
    waiting.push_back(owner);
}

void Spread::placeShared(Operation *op, const Layout &layout) {
  SharedTensors shared = sharedTensors(op);
  for (unsigned operand : shared.operands)
    place(op->getOperand(operand), layout);
  for (unsigned result : shared.results)
    place(op->getResult(result), layout);
}

void Spread::placeAnchor(const Anchor &anchor) {
  placeShared(anchor.op, anchor.layout);
  run();
}

void Spread::run() {
  while (!waiting.empty()) {
    Value owner = waiting.front();
    waiting.pop_front();
    visit(owner);
  }
}

void Spread::visit(Value owner) {
  // A copy of the attribute: the map may move.
  LayoutAttr attribute = chosen.find(owner)->second;
  const Layout &layout = attribute.getLayout();
  ArrayRef<Value> members = ties.membersOf(owner);
  for (Value value : members.empty() ? ArrayRef<Value>(owner) : members) {
    for (OpOperand &use : value.getUses())
      forward(use, layout);
    if (auto result = dyn_cast<OpResult>(value))
      backward(result, layout);
  }
  for (OpOperand *operand : ties.incomingOf(owner))
    place(operand->get(), layout);
}

void Spread::forward(OpOperand &use, const Layout &layout) {
  if (Value into = ties.flowsInto(use))
    return place(into, layout);
  Operation *op = use.getOwner();
  if (anchors.contains(op))
    return;
  SharedTensors shared = sharedTensors(op);
  if (llvm::is_contained(shared.operands, use.getOperandNumber()))
    return placeShared(op, layout);
  // A broadcast's operand says little of its result.
  if (isa<tt::BroadcastOp>(op))
    return;
  for (OpResult result : op->getResults())
    if (std::optional<Layout> own = resultLayout(op, use.getOperandNumber(), layout))
      place(result, *own);
}

void Spread::backward(OpResult result, const Layout &layout) {
  Operation *op = result.getOwner();
  if (anchors.contains(op))
    return;
  SharedTensors shared = sharedTensors(op);
  if (llvm::is_contained(shared.results, result.getResultNumber()))
    return placeShared(op, layout);
  for (OpOperand &operand : op->getOpOperands())
    if (isTensor(operand.get()))
      if (std::optional<Layout> own = operandLayout(op, operand.getOperandNumber(), layout))
        place(operand.get(), *own);
}

void Spread::placeTheRest(tt::FuncOp function, Threads threads) {
  // What is large decides for what it is made of.
  std::map<int64_t, SmallVector<Value>, std::greater<>> bySize;
  auto collect = [&](Value value) {
    if (isTensor(value) && !chosen.contains(ties.ownerOf(value)))
      bySize[tt::numElementsOf(value.getType())].push_back(value);
  };
  function.walk([&](Operation *op) {
    llvm::for_each(op->getResults(), collect);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), collect);
  });
  for (auto &[elements, values] : bySize)
    for (Value value : values) {
      place(value, defaultLayout(value.getType(), threads));
      run();
    }
}

} // namespace trisect::gpu
