//===- SmallTable.h - sixteen numbers, one chosen for each lane -----------------------------------------===//
//
// What: the entry of a table of sixteen f32 that the lowest four bits of each lane name. Why: a function with
// coefficients for each sixteenth of its range needs half the steps of one polynomial for all; a table lies
// in one register of 512 bits or two of 256, and one instruction, or two and a choice, looks up all lanes.
// Limits: other lanes and machines read the table from memory, lane by lane.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_MATH_SMALLTABLE_H
#define TRISECT_BACKENDS_CPU_MATH_SMALLTABLE_H

#include "backends/cpu/emit/Code.h"
#include "llvm/ADT/ArrayRef.h"

namespace trisect::cpu {

constexpr unsigned tableEntries = 16;

/// How many lanes are looked up at once. Values of more are cut before: then the steps of each part follow
/// each other, and the parts overlap better than if each step of all stood together (gelu of bf16 7 %
/// faster).
unsigned lanesOfLookup(const Code &code);

/// `index` is of i32, and bits above its lowest four do not count.
mlir::Value lookUp(Code &code, llvm::ArrayRef<float> table, mlir::Value index);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_MATH_SMALLTABLE_H
