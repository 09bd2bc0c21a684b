//===- Together.h - small integers: several steps of k in one instruction -------------------------------===//
//
// What: products of i8 that add up in i32 multiply four steps of k at a time where the machine has VNNI, two
// as i16 where it does not. The left factor keeps its rows, the right one has the steps of a column side by
// side. Why: element by element an i32 product costs several times the multiplication. All of it is exact
// modulo 2^32. VNNI takes bytes of the left factor without sign: they are read as 128 more than they are, and
// what that adds, 128 times the sum of a column, is taken away again.
// Limits: x86; products in the form of plan/Staging.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_DOT_TOGETHER_H
#define TRISECT_BACKENDS_CPU_DOT_TOGETHER_H

#include "backends/cpu/emit/KernelState.h"
#include "core/ir/Ops.h"

namespace trisect::cpu {

/// Steps of k that go together: 4, 2, or 1 for products of other formats and machines.
unsigned stepsTogether(const Machine &machine, tt::DotOp dot);

/// Rows of `from` ([k, n], row by row) as columns with `steps` rows side by side, in panels as `to` has them.
void emitInterleave(KernelState &state, const Buffer &from, const Buffer &to, unsigned steps);

/// Into `sums` (i32) 128 times the sum of each column of `right`, so far as `depth` says.
void emitColumnSums(KernelState &state, const Buffer &right, const Buffer &sums, mlir::Value depth);

/// Adds to `sum` what `steps` steps give; the factors are i32 lanes that hold them.
mlir::Value addTogether(Code &code, unsigned steps, mlir::Value sum, mlir::Value left, mlir::Value right);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_DOT_TOGETHER_H
