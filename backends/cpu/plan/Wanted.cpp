//===- Wanted.cpp - from the sums to their stores -------------------------------------------------------===//
#include "backends/cpu/plan/Wanted.h"
#include "backends/cpu/emit/Elementwise.h"
#include "core/ir/Ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace trisect::cpu {

namespace {

/// The one store that the elements of a block reach, place by place; null if anything else reads them.
class Stores {
public:
  tt::StoreOp of(Value sums) { return follow(sums) ? store : tt::StoreOp(); }

private:
  bool follow(Value value) {
    return llvm::all_of(value.getUses(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      if (auto found = dyn_cast<tt::StoreOp>(user)) {
        bool first = !store && use.getOperandNumber() == 1;
        store = found;
        return first;
      }
      if (auto yield = dyn_cast<scf::YieldOp>(user))
        return followLoop(yield, use.getOperandNumber());
      // A product that goes on with them is one of the same loop.
      if (auto dot = dyn_cast<tt::DotOp>(user))
        return use.getOperandNumber() == 2 && visited.insert(user).second ? follow(dot.getResult())
                                                                          : use.getOperandNumber() == 2;
      return isElementwise(user) && user->getNumResults() == 1 && follow(user->getResult(0));
    });
  }

  bool followLoop(scf::YieldOp yield, unsigned number) {
    auto loop = dyn_cast<scf::ForOp>(yield->getParentOp());
    if (!loop)
      return false;
    if (!visited.insert(yield).second)
      return true;
    return follow(loop.getRegionIterArg(number)) && follow(loop.getResult(number));
  }

  tt::StoreOp store;
  llvm::SmallPtrSet<Operation *, 8> visited;
};
} // namespace

SmallVector<Bound, 2> wantedOf(Value sums) {
  tt::StoreOp store = Stores().of(sums);
  if (!store || !store.getMask() || cast<RankedTensorType>(sums.getType()).getRank() != 2)
    return {};
  return boundsOfMask(store.getMask()).bounds;
}

} // namespace trisect::cpu
