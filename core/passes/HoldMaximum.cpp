//===- HoldMaximum.cpp - arith.maxnumf out of sight of MLIR's folds -------------------------------------===//
//
// What: HideMaximum calls it a function of another name, ShowMaximum gives it its own again. Why: MLIR folds
// arith.maxnumf of constants to NaN if either operand is one; the other operand is right. Limits: to stand
// around everything that folds; hidden, it is no known op to whoever looks.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/Ops.h"
#include "core/passes/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace trisect::tt {

#define GEN_PASS_DEF_HIDEMAXIMUM
#define GEN_PASS_DEF_SHOWMAXIMUM
#include "core/passes/Passes.h.inc"

namespace {
using namespace mlir;

constexpr llvm::StringLiteral hiddenName = "arith.maxnumf";

struct HideMaximumPass : impl::HideMaximumBase<HideMaximumPass> {
  void runOnOperation() override {
    getOperation().walk([](arith::MaxNumFOp op) {
      OpBuilder builder(op);
      auto hidden = builder.create<ExternElementwiseOp>(op.getLoc(), op.getType(), op->getOperands(), "", "",
                                                        hiddenName, /*pure=*/true);
      op.replaceAllUsesWith(hidden.getResult());
      op.erase();
    });
  }
};

struct ShowMaximumPass : impl::ShowMaximumBase<ShowMaximumPass> {
  void runOnOperation() override {
    getOperation().walk([](ExternElementwiseOp op) {
      if (op.getSymbol() != hiddenName)
        return;
      OpBuilder builder(op);
      auto shown = builder.create<arith::MaxNumFOp>(op.getLoc(), op->getOperand(0), op->getOperand(1));
      op.getResult().replaceAllUsesWith(shown.getResult());
      op.erase();
    });
  }
};
} // namespace

} // namespace trisect::tt
