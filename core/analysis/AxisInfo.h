//===- AxisInfo.h - what is known of a value along each dimension ---------------------------------------===//
//
// What: for each dimension of a tensor (a scalar counts as one dimension of length 1)
//   contiguity c    the elements fall into aligned groups of c, within which each is the one before plus one
//   unit constancy k     they fall into aligned groups of k equal elements divisibility d  the first element
//   of each group of c is a multiple of d
// where a unit is 1 for integers and the size of the pointee for pointers, whose addresses are counted in
// bytes. All three are powers of two. Besides: the value if it is one known integer, and whether no element
// is negative. Why: vector widths, alignment and which masks are uniform follow from these. Limits: facts
// hold for programs whose signed index arithmetic of 32 bits or more does not wrap (narrower integers may);
// where a claim follows from alignment it holds with wrapping too. Nothing is known of floats but constancy.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_ANALYSIS_AXISINFO_H
#define TRISECT_CORE_ANALYSIS_AXISINFO_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace trisect::tt {

/// Zero is a multiple of everything: the greatest divisibility that is told apart.
constexpr int64_t kMostDivisibility = int64_t(1) << 62;

/// The greatest power of two that divides a number.
int64_t powerOfTwoIn(int64_t value);
/// The product of two divisibilities.
int64_t multiplyDivisibility(int64_t lhs, int64_t rhs);
/// 1 for integers, the bytes of the pointee for pointers and tensors of pointers.
int64_t unitOf(mlir::Type type);
/// The dimensions of a tensor or of the block behind a block pointer; {1} for scalars and tensors without
/// dimensions.
llvm::SmallVector<int64_t, 4> axesOf(mlir::Type type);

struct AxisInfo {
  struct Dimension {
    int64_t contiguity = 1;
    int64_t divisibility = 1;
    int64_t constancy = 1;
    bool operator==(const Dimension &) const = default;
  };

  llvm::SmallVector<Dimension, 4> dimensions;
  std::optional<int64_t> constant;
  bool nonNegative = false;
  /// The step of a contiguous run; see unitOf().
  int64_t unit = 1;
  /// Of a block pointer: what each stride, in bytes, is a multiple of.
  llvm::SmallVector<int64_t, 4> strideDivisibility;

  /// Nothing at all: not reached. Every other value has dimensions.
  AxisInfo() = default;
  bool isUnreached() const { return dimensions.empty(); }

  /// What holds for every value of a type.
  static AxisInfo unknown(mlir::Type type);
  /// Every element of a value of this type is the same integer.
  static AxisInfo ofConstant(mlir::Type type, int64_t value);
  /// Every element of a value of this type is the same, of the given divisibility.
  static AxisInfo uniform(mlir::Type type, int64_t divisibility);

  size_t rank() const { return dimensions.size(); }
  int64_t contiguity(size_t axis) const { return dimensions[axis].contiguity; }
  int64_t divisibility(size_t axis) const { return dimensions[axis].divisibility; }
  int64_t constancy(size_t axis) const { return dimensions[axis].constancy; }

  /// What the elements at multiples of `group` along an axis are multiples of.
  int64_t divisibilityAt(size_t axis, int64_t group) const;
  /// What all elements are multiples of.
  int64_t divisibilityOfAll() const;
  /// The greatest group along an axis that starts at a multiple of its length, so that integers within it
  /// differ in their low bits only.
  int64_t alignedRun(size_t axis) const;
  /// Spreads to each axis what is known of all elements.
  void normalize();

  /// What holds for values of which either holds.
  static AxisInfo join(const AxisInfo &lhs, const AxisInfo &rhs);
  bool operator==(const AxisInfo &) const = default;
  /// `contiguity = [16], divisibility = [4], constancy = [1], constant = 7`; the last only if known.
  void print(llvm::raw_ostream &stream) const;
};

} // namespace trisect::tt

#endif // TRISECT_CORE_ANALYSIS_AXISINFO_H
