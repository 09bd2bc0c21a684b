//===- Masks.h - when a mask is true for a whole block --------------------------------------------------===//
//
// What: emits a scalar that is true only if every element of a mask is, from the exact bounds of what it
// compares (Intervals.h); nothing per element. A comparison whose sides may wrap is not taken as true.
// Limits: and, or and comparisons of index expressions; empty for any other mask.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_MASKS_H
#define TRISECT_BACKENDS_CPU_EMIT_MASKS_H

#include "backends/cpu/emit/KernelState.h"

namespace trisect::cpu {

mlir::Value emitAllTrue(KernelState &state, mlir::Value mask);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_MASKS_H
