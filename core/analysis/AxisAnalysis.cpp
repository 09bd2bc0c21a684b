//===- AxisAnalysis.cpp - axis facts of every value of a module -----------------------------------------===//
#include "core/analysis/AxisAnalysis.h"
#include "core/analysis/AxisTransfer.h"
#include "core/ir/ArgumentHints.h"
#include "core/ir/Ops.h"
#include "mlir/Analysis/DataFlow/ConstantPropagationAnalysis.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <algorithm>

using namespace mlir;

namespace trisect::tt {

namespace {

using AxisLattice = dataflow::Lattice<AxisInfo>;

class AxisAnalysis : public dataflow::SparseForwardDataFlowAnalysis<AxisLattice> {
public:
  using SparseForwardDataFlowAnalysis::SparseForwardDataFlowAnalysis;

  void visitOperation(Operation *op, ArrayRef<const AxisLattice *> operands,
                      ArrayRef<AxisLattice *> results) override {
    SmallVector<const AxisInfo *> infos;
    for (const AxisLattice *operand : operands) {
      infos.push_back(&operand->getValue());
      if (infos.back()->isUnreached())
        return;
    }
    for (AxisLattice *result : results)
      propagateIfChanged(result, result->join(transferAxes(cast<OpResult>(result->getPoint()), infos)));
  }

  /// The induction variable of a loop: the lower bound plus multiples of the step, and what the source says.
  void visitNonControlFlowArguments(Operation *op, const RegionSuccessor &successor,
                                    ArrayRef<AxisLattice *> lattices, unsigned firstIndex) override {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop || lattices.empty() || lattices.front()->getPoint() != loop.getInductionVar())
      return SparseForwardDataFlowAnalysis::visitNonControlFlowArguments(op, successor, lattices, firstIndex);
    const AxisInfo &lower = getLatticeElementFor(op, loop.getLowerBound())->getValue();
    const AxisInfo &step = getLatticeElementFor(op, loop.getStep())->getValue();
    if (lower.isUnreached() || step.isUnreached())
      return;
    AxisInfo info = AxisInfo::unknown(loop.getInductionVar().getType());
    info.dimensions.front().divisibility = std::min(lower.divisibility(0), step.divisibility(0));
    info.nonNegative = lower.nonNegative;
    applyAxisHints(info, loop.getInductionVar().getType(),
                   argumentHints(cast<BlockArgument>(loop.getInductionVar())));
    propagateIfChanged(lattices.front(), lattices.front()->join(info));
  }

protected:
  void setToEntryState(AxisLattice *lattice) override {
    Value value = lattice->getPoint();
    AxisInfo info = AxisInfo::unknown(value.getType());
    if (auto argument = dyn_cast<BlockArgument>(value))
      if (auto func = dyn_cast<FuncOp>(argument.getOwner()->getParentOp());
          func && argument.getOwner()->isEntryBlock())
        applyAxisHints(info, value.getType(), argumentHints(argument));
    propagateIfChanged(lattice, lattice->join(info));
  }
};

} // namespace

AxisFacts::AxisFacts(Operation *root) {
  solver.load<dataflow::DeadCodeAnalysis>();
  solver.load<dataflow::SparseConstantPropagation>();
  solver.load<AxisAnalysis>();
  (void)solver.initializeAndRun(root);
}

AxisInfo AxisFacts::of(Value value) const {
  const auto *lattice = solver.lookupState<AxisLattice>(value);
  if (!lattice || lattice->getValue().isUnreached())
    return AxisInfo::unknown(value.getType());
  return lattice->getValue();
}

} // namespace trisect::tt
