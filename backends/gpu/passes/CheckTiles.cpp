//===- CheckTiles.cpp - whether tile IR keeps its rules -------------------------------------------------===//
#include "backends/gpu/passes/CheckTiles.h"
#include "backends/gpu/ir/TileDialect.h"
#include "backends/gpu/passes/LayoutRules.h"
#include "backends/gpu/passes/RegionTies.h"
#include "core/ir/Locations.h"
#include "core/support/Outcome.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace trisect::gpu {

namespace {
[[noreturn]] void fail(Operation *op, const std::string &what) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream, OpPrintingFlags().skipRegions());
  throw EngineError("gpu: tile IR is wrong: " + what + " in " + text, tt::positionOf(op->getLoc()));
}

const Layout *layoutIn(Operation *op, Value value) {
  if (!isa<RankedTensorType>(value.getType()))
    return nullptr;
  const Layout *layout = layoutOf(value.getType());
  if (!layout)
    fail(op, "a tensor without a layout");
  if (layout->shape() != shapeOfLayout(value.getType()))
    fail(op, "a layout of another shape");
  if (layout->freeBits(Bits::Register) || !layout->covers())
    fail(op, "a layout with free registers or elements that nobody holds");
  return layout;
}

void checkShared(Operation *op) {
  SharedTensors shared = sharedTensors(op);
  std::optional<Type> own;
  auto same = [&](Type type) {
    Attribute layout = cast<RankedTensorType>(type).getEncoding();
    if (own && cast<RankedTensorType>(*own).getEncoding() != layout)
      fail(op, "tensors of different layouts");
    own = type;
  };
  for (unsigned operand : shared.operands)
    same(op->getOperand(operand).getType());
  for (unsigned result : shared.results)
    same(op->getResult(result).getType());
  if (own && !holdsPacks(*layoutOf(*own), packOf(op)))
    fail(op, "elements worked on together in different places");
}

void checkShapes(Operation *op) {
  if (op->getNumOperands() == 0 || op->getNumResults() == 0)
    return;
  const Layout *source = layoutOf(op->getOperand(0).getType()),
               *result = layoutOf(op->getResult(0).getType());
  if (!source || !result)
    return;
  if (forcesResult(op)) {
    for (Value operand : op->getOperands())
      if (*layoutOf(operand.getType()) != *source)
        fail(op, "operands of different layouts");
    for (Value made : op->getResults())
      if (*layoutOf(made.getType()) != *resultLayout(op, 0, *source))
        fail(op, "a result that is not where its operands put it");
  } else if (std::optional<Layout> needed = operandLayout(op, 0, *result); needed && *needed != *source) {
    fail(op, "an operand that is not where its result needs it");
  }
}
} // namespace

void checkTiles(tt::FuncOp kernel) {
  if (failed(mlir::verify(kernel)))
    throw EngineError("gpu: tile IR does not verify", tt::positionOf(kernel.getLoc()));
  RegionTies ties(kernel);
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    for (Value value : op->getOperands())
      layoutIn(op, value);
    for (Value value : op->getResults())
      layoutIn(op, value);
    for (OpOperand &operand : op->getOpOperands())
      if (Value into = ties.flowsInto(operand); into && into.getType() != operand.get().getType())
        fail(op, "a value of another type than what it flows into");
    checkShared(op);
    checkShapes(op);
  }
}

} // namespace trisect::gpu
