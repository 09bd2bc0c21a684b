//===- Loads.h - a load of a group, lane by lane --------------------------------------------------------===//
//
// What: emits a load in its turn among the actions of a group, so that later ones find the result.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_LOADS_H
#define TRISECT_BACKENDS_CPU_EMIT_LOADS_H

#include "backends/cpu/emit/Evaluator.h"

namespace trisect::cpu {

/// Emits a load at `index` and lets the evaluator know the result. `allOn`: no lane is masked off.
void emitLoad(KernelState &state, Evaluator &evaluator, tt::LoadOp op, const Index &index, bool allOn);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_LOADS_H
