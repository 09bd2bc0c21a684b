//===- CountedLoop.h - a loop of TTIR that ends where it says -------------------------------------------===//
//
// What: makes the loop of an scf.for whose induction variable may come close to the end of its type, where
// adding the step once more would wrap and go on forever. Limits: the step is at least 1.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_COUNTEDLOOP_H
#define TRISECT_BACKENDS_CPU_EMIT_COUNTEDLOOP_H

#include "backends/cpu/emit/Code.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace trisect::cpu {

struct CountedLoop {
  mlir::scf::ForOp loop;         ///< its body is empty, without a terminator
  mlir::Value inductionVariable; ///< in the type of the bounds
};

/// How often the body runs, as a signed number; all are i64.
mlir::Value tripCount(Code &code, mlir::Value lower, mlir::Value upper, mlir::Value step);

/// Leaves the insertion point where it is.
CountedLoop makeCountedLoop(Code code, mlir::Value lower, mlir::Value upper, mlir::Value step,
                            mlir::ValueRange initial);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_COUNTEDLOOP_H
