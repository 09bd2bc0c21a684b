//===- Together.h - short factors: several steps of k in one instruction --------------------------------===//
//
// What: products of i8 that add up in i32 multiply four steps of k at a time where the machine has VNNI, two
// as i16 where it does not; products of bf16 that add up in f32 two where dpbf16 is fast (Form.h); tiles take
// the right factor in the same way. The left factor
// keeps its rows, the right one has the steps of a column side by side. Why: an i32 product of single
// elements costs several times the multiplication, and dpbf16 does twice as much as an f32 product. Integers
// are exact modulo 2^32. VNNI takes bytes of the left factor without sign: they are read as 128 more than
// they are, and what that adds, 128 times the sum of a column, is taken away again. dpbf16 is two fused
// multiply-adds, that of the upper half first: the step that comes first lies there, in both factors, and the
// sums are those of tier 0 to the bit, but for subnormals, which it takes and gives as zero
// (docs/numerics.md). Limits: x86; products in the form of plan/Staging.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_DOT_TOGETHER_H
#define TRISECT_BACKENDS_CPU_DOT_TOGETHER_H

#include "backends/cpu/dot/Form.h"
#include "backends/cpu/emit/KernelState.h"

namespace trisect::cpu {

/// Rows of `from` ([k, n], row by row) as columns with rows side by side as the form says, in panels as `to`
/// has them; of two rows of bf16 the first lies in the upper half for dpbf16.
void emitInterleave(KernelState &state, const Buffer &from, const Buffer &to, const Form &form);

/// A block of which `steps` neighbours of the last dimension, or of the one before it if `down`, lie side by
/// side, as a block of words: to turn the one is to turn the other.
Buffer asWords(Code &code, Buffer block, unsigned steps, bool down);

/// Into `sums` (i32) 128 times the sum of each column of `right`, so far as `depth` says.
void emitColumnSums(KernelState &state, const Buffer &right, const Buffer &sums, mlir::Value depth);

/// Lanes of a left factor as it lies in memory, as addTogether() takes them.
mlir::Value leftTogether(Code &code, unsigned steps, mlir::Value left);

/// Adds to `sum` what `steps` steps give; the factors are lanes of its width that hold them.
mlir::Value addTogether(Code &code, unsigned steps, mlir::Value sum, mlir::Value left, mlir::Value right);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_DOT_TOGETHER_H
