//===- ShareWithBranches.cpp - computing before an scf.if what is needed behind it ----------------------===//
#include "backends/gpu/passes/ShareWithBranches.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace trisect::gpu {

namespace {
bool canMove(Operation *op) {
  return op->getNumRegions() == 0 && op->getNumResults() == 1 && op->getNumOperands() > 0 && isPure(op);
}

class Sharing {
public:
  explicit Sharing(scf::IfOp branch) : branch(branch) {}

  void run() {
    for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()})
      for (Block &block : *region)
        for (Operation &op : llvm::make_early_inc_range(block))
          if (canMove(&op) && isKnownBefore(&op))
            share(&op);
  }

private:
  bool isKnownBefore(Operation *op) {
    return llvm::none_of(op->getOperands(), [&](Value operand) {
      return branch->isAncestor(operand.getParentBlock()->getParentOp());
    });
  }

  /// Moves `op` before the scf.if and drops its twin, if there is one.
  void share(Operation *op) {
    for (Operation *later = branch->getNextNode(); later; later = later->getNextNode()) {
      if (!OperationEquivalence::isEquivalentTo(op, later, OperationEquivalence::IgnoreLocations))
        continue;
      op->moveBefore(branch);
      later->replaceAllUsesWith(op);
      later->erase();
      return;
    }
  }

  scf::IfOp branch;
};
} // namespace

void shareWithBranches(tt::FuncOp kernel) {
  SmallVector<scf::IfOp> branches;
  kernel.walk([&](scf::IfOp branch) { branches.push_back(branch); });
  for (scf::IfOp branch : branches)
    Sharing(branch).run();
}

} // namespace trisect::gpu
