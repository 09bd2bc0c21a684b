//===- GlobalOrder.h - where the threads of a program must meet for memory's sake -----------------------===//
//
// What: the ops before which a block meets so that memory operations of a program take effect in order.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMIT_GLOBALORDER_H
#define TRISECT_BACKENDS_CUDA_EMIT_GLOBALORDER_H

#include "backends/cuda/emit/Reach.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace trisect::cuda {

/// Two accesses that are in order unless their addresses overlap.
struct OverlapTest {
  Reach earlier, later;
  /// The same offsets in both: equal starts mean that each thread touches what it touched before.
  bool sameThreadIfEqual = false;
  bool operator==(const OverlapTest &) const = default;
};

struct GlobalHazards {
  /// The block meets before these.
  llvm::DenseSet<mlir::Operation *> always;
  /// It meets before these if one of the tests finds an overlap.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<OverlapTest, 2>> perhaps;
};

struct OrderOptions {
  bool disjoint;
  /// Whether each element of a block of this type has one thread alone.
  llvm::function_ref<bool(mlir::Type)> hasOneThread;
};

GlobalHazards findGlobalHazards(tt::FuncOp kernel, const OrderOptions &options);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMIT_GLOBALORDER_H
