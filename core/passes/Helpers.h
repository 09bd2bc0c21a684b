//===- Helpers.h - what a call computes, beside the call ------------------------------------------------===//
//
// What: the body of a function that only computes, as tl.cdiv and tl.sum are, once more in place of its call.
// Why: whether what a call gives is defined is seen in the function, and hangs on what this call hands over.
// Limits: functions of one block without effects; what nothing uses in the end goes again.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_PASSES_HELPERS_H
#define TRISECT_CORE_PASSES_HELPERS_H

#include "core/ir/Ops.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace trisect::tt {

class Helpers {
public:
  Helpers() = default;
  Helpers(const Helpers &) = delete;
  Helpers &operator=(const Helpers &) = delete;
  /// Erases what nothing uses.
  ~Helpers();

  /// Whether what a call runs only computes.
  static bool computes(CallOp call);
  /// The result of a call, computed after it by other operations, which bear the call's location; null if
  /// the call does more than compute.
  mlir::Value beside(mlir::OpResult result);

private:
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>> known;
  llvm::SmallVector<mlir::Operation *> made;
};

} // namespace trisect::tt

#endif // TRISECT_CORE_PASSES_HELPERS_H
