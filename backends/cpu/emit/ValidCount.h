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

/// i64 from 0 to the extent: all elements before `least` are on, none from `most` on. They differ where the
/// index wraps: what has wrapped is below the limit again.
struct ValidCount {
  mlir::Value least, most;
};

/// Nulls where a scalar of the bound has no code so far.
ValidCount emitValidCount(KernelState &state, const Bound &bound);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_VALIDCOUNT_H
