//===- AxisTransferPointer.cpp - axis facts of addresses ------------------------------------------------===//
#include "core/analysis/AxisTransfer.h"
#include "core/ir/Ops.h"
#include "core/ir/TypeUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include <algorithm>

using namespace mlir;

namespace trisect::tt {

namespace {

using Dimension = AxisInfo::Dimension;

AxisInfo transferAddPtr(const AxisInfo &pointer, const AxisInfo &offset) {
  AxisInfo info = pointer;
  info.constant.reset();
  info.nonNegative = false;
  int64_t bytes = powerOfTwoIn(pointer.unit);
  for (size_t axis = 0; axis < info.rank(); ++axis) {
    int64_t rising = std::max(std::min(pointer.contiguity(axis), offset.constancy(axis)),
                              std::min(pointer.constancy(axis), offset.contiguity(axis)));
    info.dimensions[axis] = {rising,
                             std::min(pointer.divisibilityAt(axis, rising),
                                      multiplyDivisibility(offset.divisibilityAt(axis, rising), bytes)),
                             std::min(pointer.constancy(axis), offset.constancy(axis))};
  }
  return info;
}

/// The same addresses counted in other units: runs end unless the units agree.
AxisInfo changeUnit(Type type, const AxisInfo &source) {
  int64_t unit = unitOf(type);
  if (unit == source.unit)
    return source;
  AxisInfo info = source;
  info.unit = unit;
  for (size_t axis = 0; axis < info.rank(); ++axis)
    info.dimensions[axis] = {1, source.divisibilityAt(axis, 1), source.constancy(axis)};
  return info;
}

/// Bitcasts of pointers and of equal types keep facts; others keep which elements are equal.
AxisInfo transferBitcast(BitcastOp op, const AxisInfo &source) {
  Type type = op.getType();
  if (isPtrLike(type) || op.getSrc().getType() == type)
    return changeUnit(type, source);
  AxisInfo info = AxisInfo::unknown(type);
  for (size_t axis = 0; axis < info.rank(); ++axis)
    info.dimensions[axis].constancy = source.constancy(axis);
  return info;
}

/// Equal addresses under an equal mask give equal values.
AxisInfo transferLoad(LoadOp op, AxisOperands operands) {
  AxisInfo info = AxisInfo::unknown(op.getType());
  if (op.getIsVolatile() || isBlockPointer(op.getPtr().getType()))
    return info;
  for (size_t axis = 0; axis < info.rank(); ++axis) {
    int64_t &constancy = info.dimensions[axis].constancy;
    constancy = axesOf(op.getType())[axis];
    for (const AxisInfo *operand : operands)
      constancy = std::min(constancy, operand->constancy(axis));
  }
  return info;
}

/// Rows start at the block's start plus multiples of the other strides.
AxisInfo blockAxes(Type type, int64_t start, ArrayRef<int64_t> strides, ArrayRef<bool> isUnitStride) {
  AxisInfo info = AxisInfo::unknown(type);
  info.strideDivisibility.assign(strides.begin(), strides.end());
  SmallVector<int64_t, 4> lengths = axesOf(type);
  for (size_t axis = 0; axis < info.rank(); ++axis) {
    Dimension &dimension = info.dimensions[axis];
    if (isUnitStride[axis])
      dimension.contiguity = lengths[axis];
    dimension.divisibility = start;
    for (size_t other = 0; other < info.rank(); ++other)
      if (lengths[other] > 1 && (other != axis || !isUnitStride[axis]))
        dimension.divisibility = std::min(dimension.divisibility, strides[other]);
  }
  return info;
}

AxisInfo transferMakeTensorPtr(MakeTensorPtrOp op, AxisOperands operands) {
  size_t rank = op.getShape().size();
  AxisOperands strides = operands.slice(1 + rank, rank), offsets = operands.slice(1 + 2 * rank, rank);
  int64_t bytes = powerOfTwoIn(unitOf(op.getType()));
  int64_t start = operands[0]->divisibilityOfAll();
  SmallVector<int64_t> strideBytes;
  SmallVector<bool> isUnitStride;
  for (auto [stride, offset] : llvm::zip_equal(strides, offsets)) {
    strideBytes.push_back(multiplyDivisibility(stride->divisibilityOfAll(), bytes));
    isUnitStride.push_back(stride->constant == 1);
    start = std::min(start, multiplyDivisibility(offset->divisibilityOfAll(), strideBytes.back()));
  }
  return blockAxes(op.getType(), start, strideBytes, isUnitStride);
}

/// Moving along an axis of stride s by an offset o adds o * s to every address.
AxisInfo transferAdvance(AxisOperands operands) {
  AxisInfo info = *operands[0];
  for (auto [axis, offset] : llvm::enumerate(operands.drop_front())) {
    int64_t step = multiplyDivisibility(offset->divisibilityOfAll(), info.strideDivisibility[axis]);
    for (Dimension &dimension : info.dimensions)
      dimension.divisibility = std::min(dimension.divisibility, step);
  }
  return info;
}

} // namespace

std::optional<AxisInfo> transferPointer(OpResult result, AxisOperands operands) {
  Type type = result.getType();
  using Found = std::optional<AxisInfo>;
  return llvm::TypeSwitch<Operation *, Found>(result.getOwner())
      .Case([&](AddPtrOp) -> Found { return transferAddPtr(*operands[0], *operands[1]); })
      .Case<IntToPtrOp, PtrToIntOp>([&](Operation *) -> Found {
        AxisInfo info = changeUnit(type, *operands[0]);
        info.constant.reset();
        info.nonNegative = false;
        return info;
      })
      .Case([&](BitcastOp op) -> Found { return transferBitcast(op, *operands[0]); })
      .Case([&](LoadOp op) -> Found { return transferLoad(op, operands); })
      .Case([&](MakeTensorPtrOp op) -> Found { return transferMakeTensorPtr(op, operands); })
      .Case([&](AdvanceOp) -> Found { return transferAdvance(operands); })
      .Default([](Operation *) -> Found { return std::nullopt; });
}

} // namespace trisect::tt
