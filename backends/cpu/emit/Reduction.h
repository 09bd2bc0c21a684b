//===- Reduction.h - accumulators of a reduction --------------------------------------------------------===//
//
// What: combines chunks by the region of a tt.reduce and folds accumulators to one value.
// Regions of elementwise ops run on whole vectors, others lane by lane. The order is that of tier 0:
// accumulators are folded in halves.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_REDUCTION_H
#define TRISECT_BACKENDS_CPU_EMIT_REDUCTION_H

#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/KernelState.h"
#include "core/ir/Ops.h"
#include "llvm/ADT/BitVector.h"

namespace trisect::cpu {

/// One value per operand of the reduction, all scalars or all vectors of one width.
using Parts = llvm::SmallVector<mlir::Value, 2>;

/// The operands of a reduction that are positions along its axis: of two elements the later one has the
/// greater.
llvm::BitVector positionsAlongAxis(tt::ReduceOp op);
/// The region of a reduce or scan, applied to `left` and `right`. Of the operands in `rising` each element of
/// `left` is less than that of `right`: the region need not compare them.
Parts combine(KernelState &state, mlir::Region &region, const Parts &left, const Parts &right,
              const llvm::BitVector &rising = {});
/// combine() for a sum that holds no signaling NaN, since it began with the neutral element or with such
/// values. `bothQuiet`: nor does `more`.
Parts accumulate(KernelState &state, mlir::Region &region, const Parts &sum, const Parts &more,
                 bool bothQuiet);
/// True for regions whose operations all work on vectors; others are called lane by lane.
bool isStraight(mlir::Region &region);
/// Folds the accumulators in halves; foldInHalves() then folds the lanes. `quiet`: none of them holds a
/// signaling NaN.
Parts joinInHalves(KernelState &state, mlir::Region &region, llvm::SmallVector<Parts> accumulators,
                   bool quiet = false);
Parts foldInHalves(KernelState &state, mlir::Region &region, const llvm::SmallVector<Parts> &accumulators,
                   bool quiet);
/// The neutral element of a region that is one known op, or null.
mlir::Value identityOf(Code &code, mlir::Region &region, mlir::Type type);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_REDUCTION_H
