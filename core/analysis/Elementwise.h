//===- Elementwise.h - operations that work on each element alone ---------------------------------------===//
//
// What: tells whether element n of every result depends on element n of the operands alone, without effects.
// Why: such an operation may be done before its operands are repeated, and keeps which elements are equal.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_ANALYSIS_ELEMENTWISE_H
#define TRISECT_CORE_ANALYSIS_ELEMENTWISE_H

#include "mlir/IR/Operation.h"

namespace trisect::tt {

/// False for assembly that works on several packed elements at once.
bool isPureElementwise(mlir::Operation *op);

} // namespace trisect::tt

#endif // TRISECT_CORE_ANALYSIS_ELEMENTWISE_H
