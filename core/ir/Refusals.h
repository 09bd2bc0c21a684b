//===- Refusals.h - what no tier runs, by the op table --------------------------------------------------===//
//
// What: the first operation that a tier must refuse by its row in core/ops.def, and the sentence. Why: one
// list for all tiers. Limits: what types, attributes or machines rule out, each tier says where it finds it.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_REFUSALS_H
#define TRISECT_CORE_IR_REFUSALS_H

#include "core/support/OpFacts.h"
#include "mlir/IR/Operation.h"
#include <string>

namespace trisect::tt {

/// The first operation under `root` with one of these words in its row, or null.
mlir::Operation *firstOf(mlir::Operation *root, Tiers tiers);
/// Why it is refused: of a call with its callee.
std::string refusalOf(mlir::Operation *op);

} // namespace trisect::tt

#endif // TRISECT_CORE_IR_REFUSALS_H
