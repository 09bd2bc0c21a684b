//===- Structure.cpp - branches become ifs and loops ----------------------------------------------------===//
#include "backends/cpu/Structure.h"
#include "core/ir/Ops.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;

namespace trisect::cpu {

namespace {

/// MLIR's transformation for the cf dialect, with functions and switches of ours.
class Transformation final : public ControlFlowToSCFTransformation {
public:
  FailureOr<Operation *> createStructuredBranchRegionOp(OpBuilder &builder, Operation *branch,
                                                        TypeRange types,
                                                        MutableArrayRef<Region> regions) override {
    auto choice = dyn_cast<cf::SwitchOp>(branch);
    if (!choice || regions.size() > 2)
      return ControlFlowToSCFTransformation::createStructuredBranchRegionOp(builder, branch, types, regions);
    // One case and a default: an if. The default comes first.
    Location loc = choice.getLoc();
    int64_t number = (*choice.getCaseValues()->getValues<APInt>().begin()).getZExtValue();
    Value expected =
        builder.create<arith::ConstantOp>(loc, builder.getIntegerAttr(choice.getFlag().getType(), number));
    Value equal = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, choice.getFlag(), expected);
    auto made = builder.create<scf::IfOp>(loc, types, equal, /*withElseRegion=*/true);
    made.getThenRegion().takeBody(regions[1]);
    made.getElseRegion().takeBody(regions[0]);
    return made.getOperation();
  }

  // A place that no path reaches.
  FailureOr<Operation *> createUnreachableTerminator(Location loc, OpBuilder &builder,
                                                     Region &region) override {
    auto function = dyn_cast<tt::FuncOp>(region.getParentOp());
    if (!function)
      return emitError(loc, "an endless loop in a region that has to give a value");
    SmallVector<Value> results;
    for (Type type : function.getResultTypes())
      results.push_back(getUndefValue(loc, builder, type));
    return builder.create<tt::ReturnOp>(loc, results).getOperation();
  }
};

} // namespace

LogicalResult structureControlFlow(ModuleOp module) {
  module.getContext()
      ->loadDialect<arith::ArithDialect, cf::ControlFlowDialect, scf::SCFDialect, ub::UBDialect>();
  SmallVector<Region *> several;
  module.walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      if (!region.empty() && !llvm::hasSingleElement(region))
        several.push_back(&region);
  });
  Transformation transformation;
  for (Region *region : several) {
    DominanceInfo dominance(region->getParentOp());
    if (failed(transformCFGToSCF(*region, transformation, dominance)))
      return failure();
  }
  return success();
}

} // namespace trisect::cpu
