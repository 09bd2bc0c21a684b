//===- ReadOrder.h - factors of products are read as they lie in memory ---------------------------------===//
//
// What: a factor of tt.dot whose neighbours in memory lie along its first dimension (x @ w.T) is loaded
// transposed and turned afterwards, in registers. Why: read along its rows it is gathered element by element.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_PLAN_READORDER_H
#define TRISECT_BACKENDS_CPU_PLAN_READORDER_H

#include "core/ir/FuncOps.h"

namespace trisect::cpu {

void chooseReadOrder(tt::FuncOp kernel);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_PLAN_READORDER_H
