//===- AxisTransferShape.cpp - axis facts of constants and moved elements -------------------------------===//
#include "core/analysis/AxisTransfer.h"
#include "core/ir/Ops.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include <algorithm>

using namespace mlir;

namespace trisect::tt {

namespace {

using Dimension = AxisInfo::Dimension;

/// Keeps what concerns all elements; the dimensions are to follow.
AxisInfo withoutDimensions(const AxisInfo &source) {
  AxisInfo info = source;
  info.dimensions.clear();
  return info;
}

AxisInfo transferConstant(arith::ConstantOp op) {
  Attribute value = op.getValue();
  if (auto splat = dyn_cast<SplatElementsAttr>(value))
    value = splat.getSplatValue<Attribute>();
  if (auto number = dyn_cast<IntegerAttr>(value); number && number.getValue().getBitWidth() <= 64)
    return AxisInfo::ofConstant(op.getType(), number.getValue().getSExtValue());
  if (isa<FloatAttr>(value))
    return AxisInfo::uniform(op.getType(), 1);
  return AxisInfo::unknown(op.getType());
}

AxisInfo transferRange(MakeRangeOp op) {
  auto start = static_cast<int32_t>(op.getStart());
  int64_t length = axesOf(op.getType()).front();
  if (length == 1)
    return AxisInfo::ofConstant(op.getType(), start);
  AxisInfo info = AxisInfo::unknown(op.getType());
  info.dimensions.front() = {length, powerOfTwoIn(start), 1};
  info.nonNegative = start >= 0;
  return info;
}

AxisInfo transferSplat(SplatOp op, const AxisInfo &source) {
  AxisInfo info = AxisInfo::uniform(op.getType(), source.divisibilityOfAll());
  info.constant = source.constant;
  info.nonNegative = source.nonNegative;
  return info;
}

AxisInfo transferExpandDims(ExpandDimsOp op, const AxisInfo &source) {
  AxisInfo info = withoutDimensions(source);
  if (shapeOf(op.getSrc().getType()).empty()) {
    info.dimensions = {{1, source.divisibilityOfAll(), 1}};
    return info;
  }
  info.dimensions = source.dimensions;
  info.dimensions.insert(info.dimensions.begin() + op.getAxis(), Dimension{1, source.divisibilityOfAll(), 1});
  return info;
}

AxisInfo transferBroadcast(BroadcastOp op, const AxisInfo &source) {
  AxisInfo info = source;
  SmallVector<int64_t, 4> from = axesOf(op.getSrc().getType()), to = axesOf(op.getType());
  for (size_t axis = 0; axis < info.rank(); ++axis)
    if (from[axis] != to[axis])
      info.dimensions[axis] = {1, source.divisibilityOfAll(), to[axis]};
  return info;
}

AxisInfo transferTrans(TransOp op, const AxisInfo &source) {
  AxisInfo info = withoutDimensions(source);
  for (int32_t axis : op.getOrder())
    info.dimensions.push_back(source.dimensions[axis]);
  return info;
}

/// Facts along the elements in row-major order: the innermost axis, and for constancy as many axes outwards
/// as are constant all along.
Dimension linearRun(const AxisInfo &source, ArrayRef<int64_t> shape) {
  size_t axis = shape.size() - 1;
  while (axis > 0 && shape[axis] == 1)
    --axis;
  Dimension run = source.dimensions[axis];
  for (; axis > 0 && source.constancy(axis) == shape[axis]; --axis)
    run.constancy *= source.constancy(axis - 1);
  return run;
}

AxisInfo transferReshape(ReshapeOp op, const AxisInfo &source) {
  if (op.getAllowReorder()) {
    AxisInfo info = AxisInfo::unknown(op.getType());
    info.constant = source.constant;
    info.nonNegative = source.nonNegative;
    for (Dimension &dimension : info.dimensions)
      dimension.divisibility = source.divisibilityOfAll();
    return info;
  }
  SmallVector<int64_t, 4> from = axesOf(op.getSrc().getType()), to = axesOf(op.getType());
  AxisInfo linear = withoutDimensions(source);
  linear.dimensions = {linearRun(source, from)};
  AxisInfo info = withoutDimensions(source);
  info.dimensions.resize(to.size());
  int64_t inner = 1;
  for (size_t axis = to.size(); axis-- > 0; inner *= to[axis]) {
    Dimension &dimension = info.dimensions[axis];
    dimension.constancy = std::clamp<int64_t>(linear.constancy(0) / inner, 1, to[axis]);
    if (inner == 1)
      dimension.contiguity = std::min(linear.contiguity(0), to[axis]);
    dimension.divisibility = dimension.contiguity > 1 ? linear.divisibilityAt(0, dimension.contiguity)
                                                      : source.divisibilityOfAll();
  }
  return info;
}

/// Both halves of a join, and both parts of a concatenation in unknown order.
AxisInfo transferPair(Type type, const AxisInfo &lhs, const AxisInfo &rhs, bool keepsAxes) {
  AxisInfo both = AxisInfo::join(lhs, rhs);
  AxisInfo info = withoutDimensions(both);
  if (keepsAxes)
    info.dimensions = both.dimensions;
  info.dimensions.push_back({1, std::min(lhs.divisibilityOfAll(), rhs.divisibilityOfAll()), 1});
  if (both.constant)
    return AxisInfo::ofConstant(type, *both.constant);
  return info;
}

AxisInfo transferSplit(SplitOp op, const AxisInfo &source) {
  AxisInfo info = source;
  info.dimensions.pop_back();
  if (info.dimensions.empty())
    info.dimensions = {{1, source.divisibilityOfAll(), 1}};
  return info;
}

AxisInfo transferUnsplat(UnsplatOp op, const AxisInfo &source) {
  AxisInfo info = withoutDimensions(source);
  info.dimensions = {{1, source.divisibilityOfAll(), 1}};
  return info;
}

} // namespace

std::optional<AxisInfo> transferShape(OpResult result, AxisOperands operands) {
  Type type = result.getType();
  using Found = std::optional<AxisInfo>;
  return llvm::TypeSwitch<Operation *, Found>(result.getOwner())
      .Case([&](arith::ConstantOp op) -> Found { return transferConstant(op); })
      .Case([&](MakeRangeOp op) -> Found { return transferRange(op); })
      .Case<GetProgramIdOp, GetNumProgramsOp>([&](Operation *) -> Found {
        AxisInfo info = AxisInfo::unknown(type);
        info.nonNegative = true;
        return info;
      })
      .Case([&](SplatOp op) -> Found { return transferSplat(op, *operands[0]); })
      .Case([&](UnsplatOp op) -> Found { return transferUnsplat(op, *operands[0]); })
      .Case([&](ExpandDimsOp op) -> Found { return transferExpandDims(op, *operands[0]); })
      .Case([&](BroadcastOp op) -> Found { return transferBroadcast(op, *operands[0]); })
      .Case([&](TransOp op) -> Found { return transferTrans(op, *operands[0]); })
      .Case([&](ReshapeOp op) -> Found { return transferReshape(op, *operands[0]); })
      .Case(
          [&](CatOp) -> Found { return transferPair(type, *operands[0], *operands[1], /*keepsAxes=*/false); })
      .Case(
          [&](JoinOp) -> Found { return transferPair(type, *operands[0], *operands[1], /*keepsAxes=*/true); })
      .Case([&](SplitOp op) -> Found { return transferSplit(op, *operands[0]); })
      .Default([](Operation *) -> Found { return std::nullopt; });
}

} // namespace trisect::tt
