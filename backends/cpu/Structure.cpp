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
    if (!choice || regions.size() < 2)
      return ControlFlowToSCFTransformation::createStructuredBranchRegionOp(builder, branch, types, regions);
    // An if for each case, the next in its else; the default comes first of the regions and last here.
    SmallVector<APInt> cases(choice.getCaseValues()->getValues<APInt>());
    scf::IfOp first;
    OpBuilder::InsertionGuard guard(builder);
    for (size_t n = 0; n < cases.size(); ++n) {
      scf::IfOp made = makeCase(builder, choice, types, cases[n]);
      made.getThenRegion().takeBody(regions[n + 1]);
      if (!first)
        first = made;
      else
        builder.create<scf::YieldOp>(choice.getLoc(), made.getResults());
      if (n + 1 < cases.size())
        builder.setInsertionPointToStart(&made.getElseRegion().emplaceBlock());
      else
        made.getElseRegion().takeBody(regions[0]);
    }
    return first.getOperation();
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

private:
  /// An if for one case, whose regions are empty.
  static scf::IfOp makeCase(OpBuilder &builder, cf::SwitchOp choice, TypeRange types, const APInt &number) {
    Location loc = choice.getLoc();
    auto wanted =
        builder.getIntegerAttr(choice.getFlag().getType(), static_cast<int64_t>(number.getZExtValue()));
    Value expected = builder.create<arith::ConstantOp>(loc, wanted);
    Value equal = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, choice.getFlag(), expected);
    auto made = builder.create<scf::IfOp>(loc, types, equal, /*withElseRegion=*/true);
    made.getThenRegion().getBlocks().clear();
    made.getElseRegion().getBlocks().clear();
    return made;
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
