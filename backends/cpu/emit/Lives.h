//===- Lives.h - the lives of buffers in emitted code ---------------------------------------------------===//
//
// What: while code is emitted a buffer is a mark, an operation that stands for its place in the scratch
// memory and stands where the buffer is made. When all code is there the uses of what is computed from a mark
// tell how long the buffer lives (plan/Storage.h), and its offset replaces the mark. Why: where a buffer is
// read last is not known before. Limits: an address that is kept in a buffer lives as long as that buffer and
// what is read there; one that is kept anywhere else lives to the end of the program, as does one that leaves
// its block.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_LIVES_H
#define TRISECT_BACKENDS_CPU_EMIT_LIVES_H

#include "backends/cpu/emit/Code.h"
#include "backends/cpu/plan/Storage.h"

namespace trisect::cpu {

/// Stands for the offset of a buffer of so many bytes: i64.
mlir::Value makeMark(Code &code, int64_t bytes);

/// Of the buffers of marks, in their order. Those of other functions than `program`, which it may call at any
/// time, live from its begin to its end.
llvm::SmallVector<Life> livesOf(llvm::ArrayRef<mlir::Value> marks, mlir::Operation *program);

/// Puts numbers in the places of marks.
void replaceMarks(Code &code, llvm::ArrayRef<mlir::Value> marks, llvm::ArrayRef<int64_t> offsets);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_LIVES_H
