//===- Combine.cpp - fusing pairs of operations ---------------------------------------------------------===//
//
// What: four rewrites.
//   dot(a, b, 0) + d                  → dot(a, b, d)
//   addptr(addptr(p, i), j)           → addptr(p, i + j), where i + j cannot wrap
//   select(m, load(p, m, any), f)     → load(p, m, f)
//   select(c, load(p, splat(c)), f)   → load(p, splat(c), f)
// Why: a product accumulates in place, one address computation instead of two, one masked load without a
// select. Limits: a load moves nowhere: `f` must be there already, or be a constant. Volatile loads stay, and
// so do loads and dots with further users. A product whose accumulation the kernel limits
// (maxNumImpreciseAcc) stays apart.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/analysis/IntegerBounds.h"
#include "core/ir/Ops.h"
#include "core/ir/TypeUtils.h"
#include "core/passes/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace trisect::tt {

#define GEN_PASS_DEF_TRITONCOMBINE
#include "core/passes/Passes.h.inc"

namespace {
using namespace mlir;

bool isZero(Value value) { return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero()); }

/// Add is arith.addf or arith.addi.
template <typename Add> struct CombineDotAdd : OpRewritePattern<Add> {
  using OpRewritePattern<Add>::OpRewritePattern;

  LogicalResult matchAndRewrite(Add add, PatternRewriter &rewriter) const override {
    for (auto [product, addend] :
         {std::pair{add.getLhs(), add.getRhs()}, std::pair{add.getRhs(), add.getLhs()}}) {
      auto dot = product.template getDefiningOp<DotOp>();
      if (!dot || !dot->hasOneUse() || dot->getBlock() != add->getBlock() || !isZero(dot.getC()) ||
          dot.getMaxNumImpreciseAcc() != 0)
        continue;
      Location location = rewriter.getFusedLoc({dot.getLoc(), add.getLoc()});
      auto fused = rewriter.create<DotOp>(location, add.getType(), dot.getA(), dot.getB(), addend,
                                          dot.getInputPrecision(), dot.getMaxNumImpreciseAcc());
      fused->setDiscardableAttrs(dot->getDiscardableAttrDictionary());
      rewriter.replaceOp(add, fused);
      return success();
    }
    return failure();
  }
};

struct CombineAddPtr : OpRewritePattern<AddPtrOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AddPtrOp outer, PatternRewriter &rewriter) const override {
    auto inner = outer.getPtr().getDefiningOp<AddPtrOp>();
    if (!inner || inner.getOffset().getType() != outer.getOffset().getType() ||
        mayAddWrap(inner.getOffset(), outer.getOffset()))
      return failure();
    Location location = rewriter.getFusedLoc({inner.getLoc(), outer.getLoc()});
    Value offset = rewriter.create<arith::AddIOp>(location, inner.getOffset(), outer.getOffset());
    auto fused = rewriter.create<AddPtrOp>(location, outer.getType(), inner.getPtr(), offset);
    fused->setDiscardableAttrs(outer->getDiscardableAttrDictionary());
    rewriter.replaceOp(outer, fused);
    return success();
  }

  /// Sums of i64 offsets wrap as addresses do; narrower ones must stay within their type.
  static bool mayAddWrap(Value lhs, Value rhs) {
    unsigned width = elementOf(lhs.getType()).getIntOrFloatBitWidth();
    return width != 64 && !boundsOf(lhs).plus(boundsOf(rhs)).fit(width);
  }
};

struct CombineSelectLoad : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::SelectOp select, PatternRewriter &rewriter) const override {
    auto load = select.getTrueValue().getDefiningOp<LoadOp>();
    if (!load || !load->hasOneUse() || load.getIsVolatile() || !load.getMask() ||
        !sameCondition(select.getCondition(), load.getMask()))
      return failure();
    rewriter.setInsertionPoint(load);
    Value other = availableAt(load, select.getFalseValue(), rewriter);
    if (!other)
      return failure();
    auto fused =
        rewriter.create<LoadOp>(rewriter.getFusedLoc({load.getLoc(), select.getLoc()}), load.getPtr(),
                                load.getMask(), other, load.getCache(), load.getEvict(),
                                /*isVolatile=*/false);
    fused->setDiscardableAttrs(load->getDiscardableAttrDictionary());
    rewriter.replaceOp(select, fused);
    rewriter.eraseOp(load);
    return success();
  }

  static bool sameCondition(Value condition, Value mask) {
    if (condition == mask)
      return true;
    auto splat = mask.getDefiningOp<SplatOp>();
    return splat && splat.getSrc() == condition;
  }

  /// The value, or a copy of a constant, usable where the load stands; null if it is computed later.
  static Value availableAt(LoadOp load, Value value, PatternRewriter &rewriter) {
    if (DominanceInfo().properlyDominates(value, load))
      return value;
    if (auto constant = value.getDefiningOp<arith::ConstantOp>())
      return rewriter.clone(*constant)->getResult(0);
    return nullptr;
  }
};

struct Combine : impl::TritonCombineBase<Combine> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns
        .add<CombineDotAdd<arith::AddFOp>, CombineDotAdd<arith::AddIOp>, CombineAddPtr, CombineSelectLoad>(
            &getContext());
    if (failed(applyPatternsAndFoldGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace trisect::tt
