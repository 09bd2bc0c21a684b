//===- SimplerForms.cpp - simpler forms of operations, for shrinking ------------------------------------===//
#include "core/passes/SimplerForms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace trisect::tt {

namespace {
using namespace mlir;

/// An operation becomes its first operand of the same type, a loop its initial values.
struct ReplaceByOperand : RewritePattern {
  explicit ReplaceByOperand(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (auto loop = dyn_cast<scf::ForOp>(op); loop && loop.getNumResults() != 0) {
      rewriter.replaceOp(op, loop.getInitArgs());
      return success();
    }
    if (op->getNumResults() != 1)
      return failure();
    for (Value operand : op->getOperands())
      if (operand.getType() == op->getResult(0).getType()) {
        rewriter.replaceOp(op, operand);
        return success();
      }
    return failure();
  }
};

/// Results of integers and floats become zero.
struct ReplaceByZero : RewritePattern {
  explicit ReplaceByZero(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (op->getNumResults() == 0 || isa<arith::ConstantOp>(op))
      return failure();
    SmallVector<TypedAttr> zeros;
    for (Type type : op->getResultTypes()) {
      zeros.push_back(rewriter.getZeroAttr(type));
      if (!zeros.back())
        return failure();
    }
    SmallVector<Value> values;
    for (TypedAttr zero : zeros)
      values.push_back(rewriter.create<arith::ConstantOp>(op->getLoc(), zero));
    rewriter.replaceOp(op, values);
    return success();
  }
};

/// An operation that nobody needs goes, whatever it does.
struct Erase : RewritePattern {
  explicit Erase(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!op->use_empty() || op->hasTrait<OpTrait::IsTerminator>() || op->hasTrait<OpTrait::SymbolTable>() ||
        isa<FunctionOpInterface>(op))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void addSimplerForms(RewritePatternSet &patterns, bool erase) {
  patterns.add<ReplaceByOperand, ReplaceByZero>(patterns.getContext());
  if (erase)
    patterns.add<Erase>(patterns.getContext());
}

} // namespace trisect::tt
