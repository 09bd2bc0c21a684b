//===- AxisInfo.cpp - what is known of a value along each dimension -------------------------------------===//
#include "core/analysis/AxisInfo.h"
#include "core/ir/TypeUtils.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace mlir;

namespace trisect::tt {

int64_t powerOfTwoIn(int64_t value) {
  if (value == 0)
    return kMostDivisibility;
  uint64_t bits = static_cast<uint64_t>(value);
  return static_cast<int64_t>(std::min<uint64_t>(bits & (~bits + 1), kMostDivisibility));
}

int64_t multiplyDivisibility(int64_t lhs, int64_t rhs) {
  unsigned exponent = llvm::Log2_64(lhs) + llvm::Log2_64(rhs);
  return exponent >= 62 ? kMostDivisibility : int64_t(1) << exponent;
}

int64_t unitOf(Type type) {
  if (!isPtrLike(type))
    return 1;
  Type pointee = elementOf(pointerOf(type).getPointeeType());
  return std::max<int64_t>(1, elementBits(pointee) / 8);
}

SmallVector<int64_t, 4> axesOf(Type type) {
  ArrayRef<int64_t> shape = shapeOf(isBlockPointer(type) ? pointeeOf(type) : type);
  if (shape.empty())
    return {1};
  return SmallVector<int64_t, 4>(shape);
}

AxisInfo AxisInfo::unknown(Type type) {
  AxisInfo info;
  info.unit = unitOf(type);
  info.dimensions.resize(axesOf(type).size());
  if (isBlockPointer(type))
    info.strideDivisibility.assign(info.rank(), 1);
  return info;
}

AxisInfo AxisInfo::uniform(Type type, int64_t divisibility) {
  AxisInfo info;
  info.unit = unitOf(type);
  for (int64_t length : axesOf(type))
    info.dimensions.push_back({1, divisibility, length});
  return info;
}

AxisInfo AxisInfo::ofConstant(Type type, int64_t value) {
  AxisInfo info = uniform(type, powerOfTwoIn(value));
  info.constant = value;
  info.nonNegative = value >= 0;
  return info;
}

int64_t AxisInfo::divisibilityAt(size_t axis, int64_t group) const {
  const Dimension &dimension = dimensions[axis];
  if (group >= dimension.contiguity)
    return dimension.divisibility;
  return std::min(dimension.divisibility, multiplyDivisibility(group, powerOfTwoIn(unit)));
}

int64_t AxisInfo::divisibilityOfAll() const {
  int64_t most = 1;
  for (size_t axis = 0; axis < rank(); ++axis)
    most = std::max(most, divisibilityAt(axis, 1));
  return most;
}

int64_t AxisInfo::alignedRun(size_t axis) const {
  return std::min(dimensions[axis].contiguity, dimensions[axis].divisibility);
}

void AxisInfo::normalize() {
  int64_t ofAll = divisibilityOfAll();
  for (Dimension &dimension : dimensions)
    dimension.divisibility = std::max(dimension.divisibility, ofAll);
}

AxisInfo AxisInfo::join(const AxisInfo &lhs, const AxisInfo &rhs) {
  if (lhs.isUnreached())
    return rhs;
  if (rhs.isUnreached())
    return lhs;
  AxisInfo info;
  info.unit = lhs.unit;
  for (auto [left, right] : llvm::zip_equal(lhs.dimensions, rhs.dimensions)) {
    int64_t contiguity = std::min(left.contiguity, right.contiguity);
    // Within a longer run the groups of the shorter one start at its multiples only.
    size_t axis = info.dimensions.size();
    info.dimensions.push_back(
        {contiguity, std::min(lhs.divisibilityAt(axis, contiguity), rhs.divisibilityAt(axis, contiguity)),
         std::min(left.constancy, right.constancy)});
  }
  if (lhs.constant == rhs.constant)
    info.constant = lhs.constant;
  info.nonNegative = lhs.nonNegative && rhs.nonNegative;
  for (auto [left, right] : llvm::zip(lhs.strideDivisibility, rhs.strideDivisibility))
    info.strideDivisibility.push_back(std::min(left, right));
  return info;
}

void AxisInfo::print(llvm::raw_ostream &stream) const {
  auto list = [&](llvm::StringRef name, int64_t Dimension::*member) {
    stream << name << " = [";
    llvm::interleaveComma(dimensions, stream,
                          [&](const Dimension &dimension) { stream << dimension.*member; });
    stream << "]";
  };
  list("contiguity", &Dimension::contiguity);
  list(", divisibility", &Dimension::divisibility);
  list(", constancy", &Dimension::constancy);
  if (constant)
    stream << ", constant = " << *constant;
}

} // namespace trisect::tt
