//===- Quiet.h - floats that are no signaling NaN -------------------------------------------------------===//
//
// What: tells whether a value comes out of arithmetic, which gives quiet NaNs alone.
// Limits: a few operations; what comes from memory, from casts or through values that a loop carries may
// signal.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_PLAN_QUIET_H
#define TRISECT_BACKENDS_CPU_PLAN_QUIET_H

#include "mlir/IR/Value.h"

namespace trisect::cpu {

/// True if no element of the f32 value `value` can be a signaling NaN.
bool neverSignals(mlir::Value value);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_PLAN_QUIET_H
