//===- Widenings.h - lanes that stay evenly spaced in a wider type --------------------------------------===//
//
// What: finds where a group's code widens an index (extsi, the offset of addptr) and under which condition no
// lane of it wraps in the type that it comes from, nor any step of the arithmetic that leads to it; likewise
// `x % n` where x stays below n, so that it is x, and `x / n` and `x % n` by a constant at whose multiples no
// chunk of lanes is cut in two: there the quotient is the same for all of its lanes. Why: evenly spaced lanes
// become vector loads, but lanes that wrap in i8, i16 or i32, or at n, are no longer evenly spaced as
// addresses. Limits: proofs are the bounds and the aligned runs of core/analysis; otherwise a scalar is
// emitted that tells before the loops (Intervals.h).
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_WIDENINGS_H
#define TRISECT_BACKENDS_CPU_EMIT_WIDENINGS_H

#include "backends/cpu/emit/Groups.h"

namespace trisect::cpu {

using OpSet = llvm::SmallPtrSet<mlir::Operation *, 8>;

struct Widenings {
  OpSet always;      ///< never wrap within a chunk; sums and products: at no element
  OpSet ifHolds;     ///< do not wrap where `holds` is true
  mlir::Value holds; ///< null if `ifHolds` is empty
};

/// The operand that an op reads as a signed number of a wider type, or nothing.
std::optional<unsigned> widenedOperand(mlir::Operation *op);

/// Of tensors of integers of less than 64 bits.
bool isSumOrProduct(mlir::Operation *op);

/// The op of `x % n` with one signed n for all lanes, or null.
mlir::Operation *uniformRemainder(mlir::Value value);

/// True for a quotient or remainder by a constant that is a multiple of a chunk's lanes. If it is steady, all
/// lanes of x lie between two multiples of the constant, and none is below 0 as its op reads it.
bool dividesWholeChunks(mlir::Operation *op);

/// `chunk`: lanes that must stay evenly spaced together.
Widenings findWidenings(KernelState &state, const Group &group, int64_t chunk);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_WIDENINGS_H
