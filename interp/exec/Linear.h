//===- Linear.h - sums of stride times index, with a guard against wrap-around --------------------------===//
//
// What: an integer or address per element as base + sum of stride times index, taken from a Splat or Affine
// value, and its extreme values. Why: the symbolic rules are arithmetic on these. Limits: signed 64-bit;
// `fits` tells whether no element wraps around in a narrower type.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_EXEC_LINEAR_H
#define TRISECT_INTERP_EXEC_LINEAR_H

#include "interp/exec/Value.h"
#include "interp/program/Program.h"

namespace trisect::interp {

struct Linear {
  int64_t base = 0;
  int64_t stride[maxSymbolicRank] = {};
  int rank = 0;

  bool uniform() const {
    for (int d = 0; d < rank; ++d)
      if (stride[d])
        return false;
    return true;
  }
  /// The one dimension on which it depends, or -1.
  int onlyDimension() const;
};

/// The value as Linear; false if it has another form or too many dimensions.
bool toLinear(const Value &value, DType type, const Shape &shape, Linear &linear);
/// Stores it as Splat or Affine.
void fromLinear(const Linear &linear, DType type, Value &value);

/// Smallest and largest element; false if they leave the signed 64-bit range.
bool extremes(const Linear &linear, const Shape &shape, int64_t &low, int64_t &high);
/// True if all elements are signed numbers of the type.
bool fits(const Linear &linear, const Shape &shape, DType type);

} // namespace trisect::interp

#endif // TRISECT_INTERP_EXEC_LINEAR_H
