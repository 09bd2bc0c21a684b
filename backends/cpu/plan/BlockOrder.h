//===- BlockOrder.h - blocks of two dimensions lie as what they are read from ---------------------------===//
//
// What: blocks that are connected by elementwise code, loads, stores, loops and reductions are turned, all of
// them, if most of what they read and write lies along their first dimension: the types change, and with them
// the dimensions that are added and reduced; nothing is moved. Why: chunks of lanes go along the last
// dimension, so that a sum of columns written as rows (Inductor's) is gathered element by element. A
// reduction has the same order along every dimension (docs/numerics.md). Limits: what else sees the order of
// a block (products, scans, reshapes, atomics, stores whose lanes may meet) keeps all that is connected with
// it.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_PLAN_BLOCKORDER_H
#define TRISECT_BACKENDS_CPU_PLAN_BLOCKORDER_H

#include "core/ir/FuncOps.h"
#include <string>

namespace trisect::cpu {

/// Gives the line of the plan, empty if nothing is turned.
std::string chooseBlockOrder(tt::FuncOp kernel);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_PLAN_BLOCKORDER_H
