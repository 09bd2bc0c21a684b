//===- GlobalOrder.h - where the threads of a program must meet for memory's sake -----------------------===//
//
// What: the ops before which a block meets so that memory operations of a program take effect in order.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMIT_GLOBALORDER_H
#define TRISECT_BACKENDS_CUDA_EMIT_GLOBALORDER_H

#include "backends/cuda/emit/Question.h"
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
  /// Upper bits of a distance that do not count: offsets wrap after 2^32 elements.
  unsigned drop() const;
  /// The same as a question about arguments, if nothing else decides it.
  std::optional<OverlapQuestion> ofLaunch() const;
};

struct GlobalHazards {
  /// The block meets before these.
  llvm::DenseSet<mlir::Operation *> always;
  /// It meets before these if one of the tests finds an overlap.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<OverlapTest, 2>> perhaps;
  /// Or before these if the launch did not rule out that its arguments overlap.
  llvm::DenseSet<mlir::Operation *> unlessApart;
  std::vector<OverlapQuestion> questions; ///< for the launch
};

/// Bytes of a range.
int64_t lengthOf(const Reach &reach);

/// `hasOneThread`: whether each element of a block of this type has one thread alone.
GlobalHazards findGlobalHazards(tt::FuncOp kernel, llvm::function_ref<bool(mlir::Type)> hasOneThread);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMIT_GLOBALORDER_H
