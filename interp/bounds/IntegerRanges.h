//===- IntegerRanges.h - ends through integer operations ------------------------------------------------===//
//
// What: the hull of an integer operation over ranges of its operands, in doubt where it could wrap around or
// where nothing simple can be said; and whether an operation on exact operands is undefined.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_BOUNDS_INTEGERRANGES_H
#define TRISECT_INTERP_BOUNDS_INTEGERRANGES_H

#include "core/support/OpTable.h"
#include "interp/bounds/Ends.h"

namespace trisect::interp {

/// `attribute` is the predicate of a comparison. No operand is in doubt.
Span integerRange(OpId op, uint64_t attribute, const Span *operands, const DType *types, DType result);
/// A quotient by zero, a shift by the width, a float that fits no integer.
bool isUndefined(OpId op, const Span *operands, const DType *types, DType result);

} // namespace trisect::interp

#endif // TRISECT_INTERP_BOUNDS_INTEGERRANGES_H
