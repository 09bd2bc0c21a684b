//===- Signs.h - floats that are never positive ---------------------------------------------------------===//
//
// What: numbers less the greatest of them, as every softmax takes to a power. Of such operands powers are
// small, which saves half of their steps.
// Limits: what is found is a difference of two values; the greatest is looked for through shapes and maxima.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_PLAN_SIGNS_H
#define TRISECT_BACKENDS_CPU_PLAN_SIGNS_H

#include "mlir/IR/Value.h"

namespace trisect::cpu {

/// True if each element of the float value `value` is at most zero, or a NaN.
bool neverPositive(mlir::Value value);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_PLAN_SIGNS_H
