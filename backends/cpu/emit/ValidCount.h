//===- ValidCount.h - how far a mask is on --------------------------------------------------------------===//
//
// What: emits the number of elements, from the first on, that satisfy a bound of a mask (plan/MaskBounds.h).
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_VALIDCOUNT_H
#define TRISECT_BACKENDS_CPU_EMIT_VALIDCOUNT_H

#include "backends/cpu/emit/KernelState.h"
#include "backends/cpu/plan/MaskBounds.h"

namespace trisect::cpu {

/// An i64 from 0 to the extent; null where a scalar of the bound has no code so far.
mlir::Value emitValidCount(KernelState &state, const Bound &bound);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_VALIDCOUNT_H
