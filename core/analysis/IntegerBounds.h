//===- IntegerBounds.h - the least and greatest value an integer can have -------------------------------===//
//
// What: signed bounds of all elements of an integer or a tensor of integers, from the operations that make
// it. Why: sums of offsets may only be formed where they cannot wrap. Limits: looks a few operations back and
// at no branch; what it does not know has the bounds of its type.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_ANALYSIS_INTEGERBOUNDS_H
#define TRISECT_CORE_ANALYSIS_INTEGERBOUNDS_H

#include "mlir/IR/Value.h"

namespace trisect::tt {

/// A closed interval, wide enough for the sum of two 64-bit integers.
struct IntegerBounds {
  using Wide = __int128;
  Wide low;
  Wide high;

  static IntegerBounds ofWidth(unsigned width);
  IntegerBounds plus(IntegerBounds other) const { return {low + other.low, high + other.high}; }
  IntegerBounds joined(IntegerBounds other) const;
  /// True if every value is representable as a signed integer of that width.
  bool fit(unsigned width) const;
};

/// Bounds of an integer, an index or a tensor of integers of at most 64 bits.
IntegerBounds boundsOf(mlir::Value value);

} // namespace trisect::tt

#endif // TRISECT_CORE_ANALYSIS_INTEGERBOUNDS_H
