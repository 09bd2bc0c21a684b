//===- Inliner.h - how tt.call becomes the body of its callee -------------------------------------------===//
//
// What: the inliner interface of the tt dialect: calls of functions without `noinline` are replaced.
// Limits: a function with several blocks is inlined only where several blocks may stand: in a function body
// or in the region of tt.map_elementwise.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_INLINER_H
#define TRISECT_CORE_IR_INLINER_H

#include "mlir/Transforms/InliningUtils.h"

namespace trisect::tt {

struct TileInlinerInterface : public mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(mlir::Operation *call, mlir::Operation *callable, bool wouldBeCloned) const final;
  bool isLegalToInline(mlir::Region *, mlir::Region *, bool, mlir::IRMapping &) const final { return true; }
  bool isLegalToInline(mlir::Operation *, mlir::Region *, bool, mlir::IRMapping &) const final {
    return true;
  }
  void handleTerminator(mlir::Operation *op, mlir::Block *newDest) const final;
  void handleTerminator(mlir::Operation *op, mlir::ValueRange toReplace) const final;
};

} // namespace trisect::tt

#endif // TRISECT_CORE_IR_INLINER_H
