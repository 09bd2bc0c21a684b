//===- AssignLayouts.cpp - every tensor gets a layout ---------------------------------------------------===//
#include "backends/gpu/passes/AssignLayouts.h"
#include "backends/gpu/passes/LayoutRules.h"
#include "backends/gpu/passes/Materialize.h"
#include "backends/gpu/passes/Spread.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace trisect::gpu {

namespace {
class Rewriter {
public:
  Rewriter(tt::FuncOp kernel, Threads threads)
      : kernel(kernel), threads(threads), ties(kernel), spread(kernel, ties, threads) {}

  void run() {
    SmallVector<Operation *> ops;
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      setTypes(op);
    for (Operation *op : ops)
      if (op != kernel)
        rewrite(op);
  }

private:
  void setType(Value value) {
    if (isa<RankedTensorType>(value.getType()))
      value.setType(withLayout(value.getType(), spread.of(value)));
  }

  void setTypes(Operation *op) {
    for (OpResult result : op->getResults())
      setType(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          setType(argument);
    retypeConstant(op);
  }

  void rewrite(Operation *op) {
    if (packOf(op) > 1)
      return rewritePacked(op);
    SharedTensors shared = sharedTensors(op);
    if (std::optional<Layout> own = ownLayout(op, shared))
      rewriteShared(op, shared, *own);
    if (forcesResult(op))
      return rewriteForced(op);
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      if (Value into = ties.flowsInto(operand))
        values.use(operand, spread.of(into));
      else if (op->getNumResults() && isa<RankedTensorType>(op->getResult(0).getType()))
        if (std::optional<Layout> needed =
                operandLayout(op, operand.getOperandNumber(), *layoutOf(op->getResult(0).getType())))
          values.use(operand, *needed);
    }
  }

  std::optional<Layout> ownLayout(Operation *op, const SharedTensors &shared) const {
    if (const Layout *asked = spread.anchored(op))
      return *asked;
    if (!shared.results.empty())
      return *layoutOf(op->getResult(shared.results[0]).getType());
    if (!shared.operands.empty())
      return *layoutOf(op->getOperand(shared.operands[0]).getType());
    return std::nullopt;
  }

  void rewriteShared(Operation *op, const SharedTensors &shared, const Layout &own) {
    for (unsigned operand : shared.operands)
      values.use(op->getOpOperand(operand), own);
    for (unsigned result : shared.results)
      values.define(op->getResult(result), own);
  }

  void rewritePacked(Operation *op) {
    SharedTensors shared = sharedTensors(op);
    std::optional<Layout> own = ownLayout(op, shared);
    if (!own)
      return;
    if (!holdsPacks(*own, packOf(op)))
      own = packedLayout(shared.results.empty() ? op->getOperand(shared.operands[0]).getType()
                                                : op->getResult(shared.results[0]).getType(),
                         packOf(op), threads);
    rewriteShared(op, shared, *own);
  }

  /// The operands decide: all have one layout, that of the first, or the one that the result wishes for.
  void rewriteForced(Operation *op) {
    Layout own = *layoutOf(op->getOperand(0).getType());
    Type result = op->getResult(0).getType();
    if (isa<RankedTensorType>(result))
      if (std::optional<Layout> wished = operandLayout(op, 0, *layoutOf(result)))
        own = *wished;
    for (OpOperand &operand : op->getOpOperands())
      values.use(operand, own);
    for (OpResult made : op->getResults())
      if (isa<RankedTensorType>(made.getType()))
        values.define(made, *resultLayout(op, 0, own));
  }

  tt::FuncOp kernel;
  Threads threads;
  RegionTies ties;
  Spread spread;
  Materializer values;
};
} // namespace

void assignLayouts(tt::FuncOp kernel, Threads threads) {
  Rewriter(kernel, threads).run();
  eraseUnused(kernel);
}

} // namespace trisect::gpu
