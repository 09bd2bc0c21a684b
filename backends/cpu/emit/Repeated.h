//===- Repeated.h - values of a row that come again, made once ------------------------------------------===//
//
// What: makes the values of plan/Repeats.h before the loop over a row, into a buffer that has one element for
// each number, and lets the evaluator of the loop read them there. Limits: for loops without masks, in which
// the remainder or quotient is the same, or goes up by one, over the lanes of a chunk.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_REPEATED_H
#define TRISECT_BACKENDS_CPU_EMIT_REPEATED_H

#include "backends/cpu/emit/Evaluator.h"
#include "backends/cpu/plan/Repeats.h"

namespace trisect::cpu {

/// Emits what makes them; `evaluator` is that of the loop, before it begins.
void makeRepeated(KernelState &state, Evaluator &evaluator, llvm::ArrayRef<Repeats> repeats);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_REPEATED_H
