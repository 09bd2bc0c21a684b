//===- Rounds.h - how often what stands in loops runs ---------------------------------------------------===//
//
// What: the rounds that the loops around an operation make in one program, as a formula over the launch.
// Why: what a kernel writes in all decides whether it goes past the caches. Limits: loops with bounds that
// follow from arguments, constants and the grid by plain arithmetic; a program id counts as the first one's;
// other loops, and branches, count as one round, and so does a loop that the first program would not enter.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_PLAN_ROUNDS_H
#define TRISECT_BACKENDS_CPU_PLAN_ROUNDS_H

#include "backends/target/Formula.h"
#include "mlir/IR/Operation.h"

namespace trisect::cpu {

/// Empty where it is one.
Formula roundsAround(mlir::Operation *op);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_PLAN_ROUNDS_H
