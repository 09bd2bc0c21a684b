//===- Ahead.h - rows that a number in memory chooses, asked for some programs early --------------------===//
//
// What: a load at the top of a kernel whose address depends on the program through another load, as the rows
// of an embedding do (`tl.load(table + tl.load(ids + pid) * width + columns)`), is prefetched by the thread
// eight programs before. Why: no machine foresees where such rows lie, and waits for each of them. Limits:
// the number must lie at an address that follows from arguments and program ids alone, and be read in every
// program: then reading it early reads nothing that its own program would not, since only programs of the
// same range of this thread are looked at. What was fetched in vain costs time and nothing else.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_AHEAD_H
#define TRISECT_BACKENDS_CPU_EMIT_AHEAD_H

#include "backends/cpu/emit/Code.h"
#include "core/ir/Ops.h"

namespace trisect::cpu {

/// How many programs early.
constexpr int64_t programsAhead = 8;

/// The loads of the kernel that are asked for early, in program order.
llvm::SmallVector<tt::LoadOp, 2> loadsToAskFor(tt::FuncOp kernel);

/// Prefetches them for the program with these ids. `arguments`: those of the kernel, as emitted.
void askFor(Code &code, llvm::ArrayRef<tt::LoadOp> loads, mlir::ValueRange arguments, mlir::ValueRange ids,
            mlir::ValueRange grid);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_AHEAD_H
