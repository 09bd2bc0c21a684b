//===- Order.h - elements of a type as ranks on one line ------------------------------------------------===//
//
// What: the rank of an element among all of its type: neighbours differ by one, a larger number has a larger
// rank, -0 comes just before +0. Why: "n ULP up", "the smaller of two" and "between these two" are then the
// same integer arithmetic for every format. Limits: a NaN has no rank; ask isNan() first.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_BOUNDS_ORDER_H
#define TRISECT_INTERP_BOUNDS_ORDER_H

#include "core/support/DType.h"
#include <cstdint>

namespace trisect::interp {

bool isNan(uint64_t bits, DType type);
/// Of integers and addresses the signed number itself.
int64_t rankOf(uint64_t bits, DType type);
uint64_t bitsOfRank(int64_t rank, DType type);
/// Ranks of the least and the greatest element; infinities count.
int64_t lowestRank(DType type);
int64_t highestRank(DType type);
/// `ulps` elements further up (or down, if negative), at most to the end of the type.
uint64_t shifted(uint64_t bits, DType type, int64_t ulps);

} // namespace trisect::interp

#endif // TRISECT_INTERP_BOUNDS_ORDER_H
