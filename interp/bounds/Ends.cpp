//===- Ends.cpp - hulls of two elements -----------------------------------------------------------------===//
#include "interp/bounds/Ends.h"
#include <algorithm>

namespace trisect::interp {

static uint64_t someNan(DType type) {
  return bitsOfRank(highestRank(type), type) + 1; // the pattern after infinity, or after the greatest number
}

bool Span::inDoubt(DType type) const {
  if (isFloat(type))
    return isNan(low, type) && !isNan(high, type);
  return low != high && rankOf(low, type) == lowestRank(type) && rankOf(high, type) == highestRank(type);
}

bool Span::holds(uint64_t bits, DType type) const {
  if (inDoubt(type))
    return true;
  if (isNan(bits, type) || isNan(low, type))
    return isNan(bits, type) && isNan(low, type);
  int64_t rank = rankOf(bits, type);
  return rank >= rankOf(low, type) && rank <= rankOf(high, type);
}

Span Span::doubt(DType type) {
  if (isFloat(type))
    return {someNan(type), 0};
  return {bitsOfRank(lowestRank(type), type), bitsOfRank(highestRank(type), type)};
}

Span Span::united(const Span &other, DType type) const {
  bool nan = isNan(low, type), otherNan = isNan(other.low, type);
  if (inDoubt(type) || other.inDoubt(type) || nan != otherNan)
    return doubt(type);
  if (nan)
    return *this;
  return {rankOf(low, type) <= rankOf(other.low, type) ? low : other.low,
          rankOf(high, type) >= rankOf(other.high, type) ? high : other.high};
}

Span Span::recast(DType from, DType to) const {
  if (isNan(low, from) || isNan(high, from))
    return doubt(to); // sign and payload of a NaN are nobody's
  if (exact())
    return *this;
  bool below = rankOf(low, from) < 0, above = rankOf(high, from) < 0;
  if (below != above || isNan(low, to) || isNan(high, to) || bitWidth(from) != bitWidth(to))
    return doubt(to);
  return rankOf(low, to) <= rankOf(high, to) ? *this : Span{high, low};
}

Span Span::widened(DType type, int64_t ulps) const {
  if (isNan(low, type) || ulps == 0)
    return *this;
  return {shifted(low, type, -ulps), shifted(high, type, ulps)};
}

} // namespace trisect::interp
