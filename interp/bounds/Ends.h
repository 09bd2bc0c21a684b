//===- Ends.h - the least and the greatest legal value of each element ----------------------------------===//
//
// What: for the elements of one slot the hull of what any legal evaluation may give. Why: an operation whose
// result grows with its operands needs no error formula: its own code, run at both ends, gives both ends.
// Limits: an element of which nothing can be said is in doubt; a float is in doubt if its low end alone is
// NaN, an integer if the ends are those of its type. Both ends NaN: legal values are NaN, like tier 0's.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_BOUNDS_ENDS_H
#define TRISECT_INTERP_BOUNDS_ENDS_H

#include "interp/bounds/Order.h"
#include <memory>
#include <vector>

namespace trisect::interp {

/// The ends of one element, in the bits of its type.
struct Span {
  uint64_t low = 0, high = 0;

  bool exact() const { return low == high; }
  bool inDoubt(DType type) const;
  /// Whether a legal evaluation may give these bits; a NaN is as good as any other.
  bool holds(uint64_t bits, DType type) const;
  static Span at(uint64_t bits) { return {bits, bits}; }
  static Span doubt(DType type);
  /// Both and all between; in doubt if one is, or if just one is NaN.
  Span united(const Span &other, DType type) const;
  /// The same bits as of another type: they follow the number while its sign stays.
  Span recast(DType from, DType to) const;
  /// Up to `ulps` further on either side.
  Span widened(DType type, int64_t ulps) const;
};

/// By element in row-major order.
using Ends = std::vector<Span>;
/// Null: every element is exactly tier 0's.
using EndsPtr = std::shared_ptr<const Ends>;

} // namespace trisect::interp

#endif // TRISECT_INTERP_BOUNDS_ENDS_H
