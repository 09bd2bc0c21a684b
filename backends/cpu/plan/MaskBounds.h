//===- MaskBounds.h - masks of the form `index < limit` -------------------------------------------------===//
//
// What: takes a mask apart into comparisons of an index that grows by one with a limit that is the same for
// all, by dimension. Why: what lies before the limit needs no mask, what lies after it no work.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_PLAN_MASKBOUNDS_H
#define TRISECT_BACKENDS_CPU_PLAN_MASKBOUNDS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace trisect::cpu {

/// Element i along the dimension is on only if `index`[i] < `limit`: a one-dimensional i32 block that grows
/// by one, and a splat.
struct Bound {
  int64_t dimension = 0;
  mlir::Value index, limit;
};

struct MaskBounds {
  llvm::SmallVector<Bound, 2> bounds;
  bool complete = true; ///< the mask has no other conditions
};

MaskBounds boundsOfMask(mlir::Value mask);

/// One value for all elements: a splat or a constant.
bool isUniformBlock(mlir::Value block);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_PLAN_MASKBOUNDS_H
