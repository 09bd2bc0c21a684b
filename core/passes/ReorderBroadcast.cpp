//===- ReorderBroadcast.cpp - compute first, repeat afterwards ------------------------------------------===//
//
// What: an elementwise operation on splats becomes the splat of a scalar operation, and one on broadcasts
// from one shape (with splats and uniform constants beside them) the broadcast of a smaller operation. Why:
// the operation is done once for each different element. How: hints on the operation (tt.divisibility ...)
// speak of its shape and move to the splat or broadcast. Limits: operations with effects, several results, or
// that work on packed elements stay.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/analysis/Elementwise.h"
#include "core/ir/Ops.h"
#include "core/ir/TypeUtils.h"
#include "core/passes/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace trisect::tt {

#define GEN_PASS_DEF_TRITONREORDERBROADCAST
#include "core/passes/Passes.h.inc"

namespace {
using namespace mlir;

bool isHint(StringAttr name) {
  return name == kDivisibilityAttr || name == kContiguityAttr || name == kConstancyAttr;
}

/// True for an operation that works on each element alone, without effects, and gives one tensor.
bool isMovable(Operation *op) {
  return op->getNumResults() == 1 && isTile(op->getResult(0).getType()) && isPureElementwise(op);
}

/// The value of a splat operand as a scalar: the source of a tt.splat, the element of a uniform constant, or
/// the operand itself if it is a scalar. Null for anything else; constants are made only if `make` is set.
struct Uniform {
  Value scalar;
  TypedAttr constant;
  explicit operator bool() const { return scalar || constant; }

  Value materialize(PatternRewriter &rewriter, Location location) const {
    return scalar ? scalar : rewriter.create<arith::ConstantOp>(location, constant).getResult();
  }
};

Uniform uniformOf(Value operand) {
  if (!isa<RankedTensorType>(operand.getType()))
    return {operand, {}};
  if (auto splat = operand.getDefiningOp<SplatOp>())
    return {splat.getSrc(), {}};
  SplatElementsAttr constant;
  if (matchPattern(operand, m_Constant(&constant)))
    return {{}, constant.getSplatValue<TypedAttr>()};
  return {};
}

/// Builds the operation on other operands; hints are left out.
Value rebuild(PatternRewriter &rewriter, Operation *op, ArrayRef<Value> operands, Type type) {
  SmallVector<NamedAttribute> attributes(op->getAttrs());
  llvm::erase_if(attributes, [](NamedAttribute attribute) { return isHint(attribute.getName()); });
  OperationState state(op->getLoc(), op->getName().getStringRef(), operands, type, attributes);
  return rewriter.create(state)->getResult(0);
}

void moveHints(Operation *from, Operation *to) {
  for (NamedAttribute attribute : from->getDiscardableAttrs())
    if (isHint(attribute.getName()))
      to->setDiscardableAttr(attribute.getName(), attribute.getValue());
}

struct MoveSplat : RewritePattern {
  explicit MoveSplat(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/2, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isMovable(op))
      return failure();
    bool anySplat = false;
    SmallVector<Uniform> uniforms;
    for (Value operand : op->getOperands()) {
      uniforms.push_back(uniformOf(operand));
      if (!uniforms.back())
        return failure();
      anySplat |= operand.getDefiningOp<SplatOp>() != nullptr;
    }
    if (!anySplat)
      return failure();
    SmallVector<Value> scalars;
    for (const Uniform &uniform : uniforms)
      scalars.push_back(uniform.materialize(rewriter, op->getLoc()));
    Type type = op->getResult(0).getType();
    Value scalar = rebuild(rewriter, op, scalars, elementOf(type));
    auto splat = rewriter.create<SplatOp>(op->getLoc(), type, scalar);
    moveHints(op, splat);
    rewriter.replaceOp(op, splat);
    return success();
  }
};

struct MoveBroadcast : RewritePattern {
  explicit MoveBroadcast(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isMovable(op))
      return failure();
    std::optional<SmallVector<int64_t>> shape = sourceShape(op);
    if (!shape)
      return failure();
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(narrow(rewriter, op->getLoc(), operand, *shape));
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    Value small = rebuild(rewriter, op, operands, RankedTensorType::get(*shape, type.getElementType()));
    auto broadcast = rewriter.create<BroadcastOp>(op->getLoc(), type, small);
    moveHints(op, broadcast);
    rewriter.replaceOp(op, broadcast);
    return success();
  }

  /// The shape from which all broadcast operands come, if the others are uniform.
  static std::optional<SmallVector<int64_t>> sourceShape(Operation *op) {
    std::optional<SmallVector<int64_t>> shape;
    for (Value operand : op->getOperands()) {
      if (auto broadcast = operand.getDefiningOp<BroadcastOp>()) {
        ArrayRef<int64_t> source = shapeOf(broadcast.getSrc().getType());
        if (shape && ArrayRef<int64_t>(*shape) != source)
          return std::nullopt;
        shape = SmallVector<int64_t>(source);
      } else if (!uniformOf(operand)) {
        return std::nullopt;
      }
    }
    return shape;
  }

  static Value narrow(PatternRewriter &rewriter, Location location, Value operand, ArrayRef<int64_t> shape) {
    if (auto broadcast = operand.getDefiningOp<BroadcastOp>())
      return broadcast.getSrc();
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type)
      return operand;
    auto small = RankedTensorType::get(shape, type.getElementType());
    if (auto splat = operand.getDefiningOp<SplatOp>())
      return rewriter.create<SplatOp>(splat.getLoc(), small, splat.getSrc());
    Attribute element = uniformOf(operand).constant;
    return rewriter.create<arith::ConstantOp>(location, DenseElementsAttr::get(small, element));
  }
};

struct ReorderBroadcast : impl::TritonReorderBroadcastBase<ReorderBroadcast> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<MoveSplat, MoveBroadcast>(&getContext());
    BroadcastOp::getCanonicalizationPatterns(patterns, &getContext());
    ExpandDimsOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsAndFoldGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace trisect::tt
