//===- Wanted.h - how much of a product is ever stored --------------------------------------------------===//
//
// What: the bounds by row and by column of the mask under which the sums of a product are stored, where
// nothing else becomes of them. Why: at the edge of a matrix, tiles that the mask drops need no multiplying.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_PLAN_WANTED_H
#define TRISECT_BACKENDS_CPU_PLAN_WANTED_H

#include "backends/cpu/plan/MaskBounds.h"

namespace trisect::cpu {

/// Of a two-dimensional block; others have none.
llvm::SmallVector<Bound, 2> wantedOf(mlir::Value sums);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_PLAN_WANTED_H
