//===- Masks.h - when a mask is true for a whole block --------------------------------------------------===//
//
// What: emits a scalar that is true only if every element of a mask is, from the ends of the ranges that it
// compares; nothing per element.
// Limits: conjunctions of comparisons of growing index expressions with uniform bounds; empty for any other
// mask.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_MASKS_H
#define TRISECT_BACKENDS_CPU_EMIT_MASKS_H

#include "backends/cpu/emit/Evaluator.h"

namespace trisect::cpu {

mlir::Value emitAllTrue(KernelState &state, mlir::Value mask);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_MASKS_H
