//===- Rounding.h - from f64 back to ends ---------------------------------------------------------------===//
//
// What: the unit roundoff of a format, and hulls computed in f64 as ends of a type, rounded outwards.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_BOUNDS_ROUNDING_H
#define TRISECT_INTERP_BOUNDS_ROUNDING_H

#include "interp/bounds/Ends.h"

namespace trisect::interp {

/// Half the distance of neighbours at one.
double unitRoundoff(DType type);
/// Sums of more than this leave the type on the way.
double largestFinite(DType type);
/// [low, high] with both ends moved outwards to elements of the type; in doubt if one is NaN.
Span spanAround(double low, double high, DType type);
/// A span of numbers with `slack` more on either side.
Span loosened(const Span &span, double slack, DType type);

} // namespace trisect::interp

#endif // TRISECT_INTERP_BOUNDS_ROUNDING_H
