//===- Waiting.h - which loops may wait for another program ---------------------------------------------===//
//
// What: tells a loop that ends only once another program has written (a lock, a flag) from one whose own
// operations bring it to its end (tiles from a queue, a loop around a compare-and-swap).
// Why: threads of this tier run programs one after the other; what waits may wait for one that has not begun.
// Limits: follows what the condition is computed from; a condition that memory alone decides counts as
// waiting if the loop has atomic or volatile accesses.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_PLAN_WAITING_H
#define TRISECT_BACKENDS_CPU_PLAN_WAITING_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace trisect::cpu {

bool mayWait(mlir::scf::WhileOp loop);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_PLAN_WAITING_H
