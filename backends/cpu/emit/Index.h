//===- Index.h - positions in the dimensions of a block -------------------------------------------------===//
//
// What: an index has one i64 position per dimension. Where loops go through neighbouring dimensions as one
// (plan/Space.h) the last of them that is longer than one holds the row-major position in all of them, with
// their number of elements as its span, and the others hold 0. Why: what depends on a buffer or on no index
// at all needs no more; separate() takes apart what needs more.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_INDEX_H
#define TRISECT_BACKENDS_CPU_EMIT_INDEX_H

#include "backends/cpu/emit/LaneValue.h"
#include "backends/cpu/plan/Space.h"

namespace trisect::cpu {

using Index = llvm::SmallVector<LaneValue, 4>;

/// Index of all zeros, and of the last element.
Index zeroIndex(Code &code, llvm::ArrayRef<int64_t> shape);
Index lastIndex(Code &code, llvm::ArrayRef<int64_t> shape);
/// Of a row-major position in a block whose extents are powers of two.
Index indexAt(Code &code, LaneValue position, llvm::ArrayRef<int64_t> shape, unsigned lanes);
/// The same with all dimensions as one.
Index spanningIndex(Code &code, LaneValue position, llvm::ArrayRef<int64_t> shape);
/// The row-major position of `index` in `shape`.
LaneValue linear(Code &code, const Index &index, llvm::ArrayRef<int64_t> shape, unsigned lanes);

/// Quotient and remainder by a power of two. A chunk whose lanes stay inside one period keeps its structure.
std::pair<LaneValue, LaneValue> split(Code &code, const LaneValue &v, int64_t divisor, unsigned lanes);
/// The same index with no span across the boundaries that are cut.
Index separate(Code &code, Index index, llvm::ArrayRef<int64_t> shape, const Cuts &cuts, unsigned lanes);
/// With a position of its own for each dimension.
Index separateAll(Code &code, const Index &index, llvm::ArrayRef<int64_t> shape, unsigned lanes);

/// What stands at a position that exchanges two elements along `axis`, by a change of the index. Nothing if
/// the pair lies in one chunk: then lane i and lane i ^ `distance` of it change places.
struct Partner {
  Index index;
  int64_t distance = 0; ///< 0: `index` tells
};
Partner partnerAt(Code &code, const Index &index, llvm::ArrayRef<int64_t> shape, int64_t axis,
                  unsigned lanes);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_INDEX_H
