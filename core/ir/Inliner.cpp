//===- Inliner.cpp - how tt.call becomes the body of its callee -----------------------------------------===//
#include "core/ir/Inliner.h"
#include "core/ir/FuncOps.h"
#include "core/ir/RegionOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace trisect::tt {

bool TileInlinerInterface::isLegalToInline(Operation *call, Operation *callable, bool) const {
  auto func = dyn_cast<FuncOp>(callable);
  if (!func || func.isNoInline())
    return false;
  return func.getBody().hasOneBlock() || isa<FuncOp, MapElementwiseOp>(call->getParentOp());
}

void TileInlinerInterface::handleTerminator(Operation *op, Block *newDest) const {
  auto ret = dyn_cast<ReturnOp>(op);
  if (!ret)
    return;
  OpBuilder builder(op);
  builder.create<cf::BranchOp>(op->getLoc(), newDest, ret.getSrcs());
  op->erase();
}

void TileInlinerInterface::handleTerminator(Operation *op, ValueRange toReplace) const {
  for (auto [old, value] : llvm::zip_equal(toReplace, cast<ReturnOp>(op).getSrcs()))
    old.replaceAllUsesWith(value);
}

} // namespace trisect::tt
