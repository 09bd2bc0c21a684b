//===- Waiting.h - which loops may wait for another program ---------------------------------------------===//
//
// What: tells a loop that may go on until another program has written (a lock, a flag) from one whose own
// operations bring it to its end (tiles from a queue, a loop around a compare-and-swap).
// Why: a thread of this tier runs programs one after the other; what waits may wait for one that has not
// begun, and must let it run (Waits.h).
// Limits: follows what the condition is computed from. A loop through memory whose next address comes from
// there, without atomic or volatile accesses (a list), counts as coming to its end.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_PLAN_WAITING_H
#define TRISECT_BACKENDS_CPU_PLAN_WAITING_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace trisect::cpu {

bool mayWait(mlir::scf::WhileOp loop);
/// The first operation in a loop that reads memory others may write; the loop itself if there is none.
mlir::Operation *waitsBy(mlir::scf::WhileOp loop);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_PLAN_WAITING_H
