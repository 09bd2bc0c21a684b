//===- AxisTransfer.cpp - axis facts of results from those of operands ----------------------------------===//
#include "core/analysis/AxisTransfer.h"
#include "core/analysis/Elementwise.h"
#include "core/ir/Dialect.h"
#include "core/ir/TypeUtils.h"
#include "mlir/IR/BuiltinAttributes.h"
#include <algorithm>

using namespace mlir;

namespace trisect::tt {

/// One number a dimension; a single number only for values of one dimension. Empty if the hint is absent or
/// of another form.
static SmallVector<int64_t> readHint(DictionaryAttr attributes, StringRef name, size_t rank) {
  SmallVector<int64_t> numbers;
  if (auto number = attributes.getAs<IntegerAttr>(name))
    numbers.push_back(number.getInt());
  else if (auto list = attributes.getAs<DenseIntElementsAttr>(name))
    for (const APInt &number : list)
      numbers.push_back(number.getSExtValue());
  if (numbers.size() != rank)
    numbers.clear();
  return numbers;
}

void applyAxisHints(AxisInfo &info, Type type, DictionaryAttr attributes) {
  if (!attributes || attributes.empty())
    return;
  SmallVector<int64_t, 4> lengths = axesOf(type);
  auto raise = [&](StringRef name, int64_t AxisInfo::Dimension::*member, bool boundedByLength) {
    for (auto [axis, number] : llvm::enumerate(readHint(attributes, name, info.rank()))) {
      if (number <= 0)
        continue;
      int64_t hinted = powerOfTwoIn(number);
      if (boundedByLength)
        hinted = std::min(hinted, lengths[axis]);
      int64_t &known = info.dimensions[axis].*member;
      known = std::max(known, hinted);
    }
  };
  raise(kDivisibilityAttr, &AxisInfo::Dimension::divisibility, false);
  raise(kContiguityAttr, &AxisInfo::Dimension::contiguity, true);
  raise(kConstancyAttr, &AxisInfo::Dimension::constancy, true);
}

/// An operation that works on each element alone gives equal results for equal operands.
static AxisInfo transferElementwise(Type type, ValueRange values, AxisOperands operands) {
  AxisInfo info = AxisInfo::uniform(type, 1);
  for (auto [value, operand] : llvm::zip_equal(values, operands)) {
    if (!isTile(value.getType()))
      continue;
    for (auto [dimension, source] : llvm::zip_equal(info.dimensions, operand->dimensions))
      dimension.constancy = std::min(dimension.constancy, source.constancy);
  }
  return info;
}

AxisInfo transferAxes(OpResult result, AxisOperands operands) {
  Operation *op = result.getOwner();
  std::optional<AxisInfo> info;
  for (auto transfer : {transferArith, transferShape, transferPointer})
    if (!info)
      info = transfer(result, operands);
  if (!info && isPureElementwise(op))
    info = transferElementwise(result.getType(), op->getOperands(), operands);
  if (!info)
    info = AxisInfo::unknown(result.getType());
  applyAxisHints(*info, result.getType(), op->getDiscardableAttrDictionary());
  info->normalize();
  return *info;
}

} // namespace trisect::tt
