//===- ReadOrder.h - blocks are read and written as they lie in memory ----------------------------------===//
//
// What: a load or store of a block whose neighbours in memory lie along its first dimension (x @ w.T, a copy
// that transposes) becomes one of the transposed block, which is turned in registers. Why: along its rows it
// is read and written element by element. Limits: factors of products are turned where they are copied;
// others have at least eight rows and columns, and stores whose lanes may meet keep their order.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_PLAN_READORDER_H
#define TRISECT_BACKENDS_CPU_PLAN_READORDER_H

#include "core/ir/FuncOps.h"
#include "core/ir/Ops.h"
#include <string>

namespace trisect::cpu {

/// Gives a line of the plan, empty if no block is turned for its own sake.
std::string chooseReadOrder(tt::FuncOp kernel);

/// Whether a transposition is made in registers, before anything reads its result.
bool isTurn(mlir::Operation *op);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_PLAN_READORDER_H
