//===- MemoryRewrites.cpp - accesses under a constant mask ----------------------------------------------===//
//
// What: a mask that is true everywhere goes; one that is false everywhere takes the access with it.
// Assertions of what is constantly true go too.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/DebugOps.h"
#include "core/ir/MemoryOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace trisect::tt {

/// The one value of a constant condition, scalar or block; nothing if it is absent or not constant.
static std::optional<bool> constantCondition(Value condition) {
  Attribute value;
  if (!condition || !matchPattern(condition, m_Constant(&value)))
    return std::nullopt;
  if (auto scalar = dyn_cast<IntegerAttr>(value))
    return scalar.getValue().isOne();
  auto uniform = dyn_cast<SplatElementsAttr>(value);
  return uniform ? std::optional<bool>(uniform.getSplatValue<APInt>().isOne()) : std::nullopt;
}

LogicalResult LoadOp::canonicalize(LoadOp op, PatternRewriter &rewriter) {
  std::optional<bool> mask = constantCondition(op.getMask());
  if (!mask)
    return failure();
  if (*mask) {
    rewriter.modifyOpInPlace(op, [&] {
      op.getOtherMutable().clear();
      op.getMaskMutable().clear();
    });
    return success();
  }
  if (!op.getOther() || op.getIsVolatile())
    return failure();
  rewriter.replaceOp(op, op.getOther());
  return success();
}

LogicalResult StoreOp::canonicalize(StoreOp op, PatternRewriter &rewriter) {
  std::optional<bool> mask = constantCondition(op.getMask());
  if (!mask)
    return failure();
  if (*mask)
    rewriter.modifyOpInPlace(op, [&] { op.getMaskMutable().clear(); });
  else
    rewriter.eraseOp(op);
  return success();
}

LogicalResult AssertOp::canonicalize(AssertOp op, PatternRewriter &rewriter) {
  if (constantCondition(op.getCondition()) != true)
    return failure();
  rewriter.eraseOp(op);
  return success();
}

} // namespace trisect::tt
