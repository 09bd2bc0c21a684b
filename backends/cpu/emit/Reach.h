//===- Reach.h - how far the masks of a row are on ------------------------------------------------------===//
//
// What: of a group with one dimension whose masks are all of the form `index < limit`: how many elements,
// from the first on, have all masks on, and from where on all are off. Why: the former need no masks. Where
// each lane has the same value once the masks are off, it is computed once: a row of 12,288 in a block of
// 16,384 would otherwise spend a quarter of its time on lanes that hold nothing.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_REACH_H
#define TRISECT_BACKENDS_CPU_EMIT_REACH_H

#include "backends/cpu/emit/Evaluator.h"
#include "backends/cpu/emit/Groups.h"

namespace trisect::cpu {

/// Elements from the first on.
struct Reach {
  mlir::Value all;       ///< those for which all masks are on; null: the loop is not cut
  mlir::Value any;       ///< those for which the mask of something that lasts may be
  mlir::Value some = {}; ///< those that may differ from what follows; null: any may
  bool masked = false;
};

/// `kept`: what is to be kept of the group.
Reach reachOf(KernelState &state, const Group &group, llvm::ArrayRef<std::pair<mlir::Value, Buffer>> kept);

/// Lets later groups know from where on all lanes are alike of what this one keeps, and of its masks.
void noteEven(KernelState &state, const Group &group, llvm::ArrayRef<std::pair<mlir::Value, Buffer>> kept,
              const Reach &reach);

/// Lets `evaluator` know what loads and masks of such a group are there.
void turnOff(KernelState &state, Evaluator &evaluator, const Group &group,
             llvm::function_ref<Index(mlir::Value)> indexFor);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_REACH_H
