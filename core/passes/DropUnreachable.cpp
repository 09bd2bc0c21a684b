//===- DropUnreachable.cpp - blocks that no path reaches ------------------------------------------------===//
//
// What: erases blocks without a path from the entry of their region. Why: a front end leaves the statements
// after a `return` as such blocks, and no tier should have to decode them.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/passes/Passes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

namespace trisect::tt {

#define GEN_PASS_DEF_DROPUNREACHABLE
#include "core/passes/Passes.h.inc"

namespace {

struct DropUnreachable : impl::DropUnreachableBase<DropUnreachable> {
  void runOnOperation() override {
    mlir::IRRewriter rewriter(&getContext());
    (void)mlir::eraseUnreachableBlocks(rewriter, getOperation()->getRegions());
  }
};

} // namespace
} // namespace trisect::tt
