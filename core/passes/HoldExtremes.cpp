//===- HoldExtremes.cpp - arith.maxnumf and minnumf out of sight of MLIR's folds ------------------------===//
//
// What: HideExtremes calls each a function of the op's name, ShowExtremes gives it its own again. Why: MLIR
// folds arith.maxnumf of constants to NaN if either operand is one, where the other operand is right, and
// minnumf(x, inf) and maxnumf(x, -inf) to x, which is wrong if x is NaN. Limits: to stand around everything
// that folds; hidden, it is no known op to whoever looks.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/Ops.h"
#include "core/passes/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace trisect::tt {

#define GEN_PASS_DEF_HIDEEXTREMES
#define GEN_PASS_DEF_SHOWEXTREMES
#include "core/passes/Passes.h.inc"

namespace {
using namespace mlir;

template <class Op> void hide(Op op) {
  OpBuilder builder(op);
  auto hidden = builder.create<ExternElementwiseOp>(op.getLoc(), op.getType(), op->getOperands(), "", "",
                                                    Op::getOperationName(), /*pure=*/true);
  op.replaceAllUsesWith(hidden.getResult());
  op.erase();
}

template <class Op> void show(ExternElementwiseOp op) {
  OpBuilder builder(op);
  auto shown = builder.create<Op>(op.getLoc(), op->getOperand(0), op->getOperand(1));
  op.getResult().replaceAllUsesWith(shown.getResult());
  op.erase();
}

struct HideExtremesPass : impl::HideExtremesBase<HideExtremesPass> {
  void runOnOperation() override {
    getOperation().walk([](arith::MaxNumFOp op) { hide(op); });
    getOperation().walk([](arith::MinNumFOp op) { hide(op); });
  }
};

struct ShowExtremesPass : impl::ShowExtremesBase<ShowExtremesPass> {
  void runOnOperation() override {
    getOperation().walk([](ExternElementwiseOp op) {
      if (op.getSymbol() == arith::MaxNumFOp::getOperationName())
        show<arith::MaxNumFOp>(op);
      else if (op.getSymbol() == arith::MinNumFOp::getOperationName())
        show<arith::MinNumFOp>(op);
    });
  }
};
} // namespace

} // namespace trisect::tt
