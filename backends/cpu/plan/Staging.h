//===- Staging.h - loops that add up a product of two loaded factors ------------------------------------===//
//
// What: finds the loop of a matrix product: it loads both factors, multiplies them onto a carried block, and
// does nothing else but count and move on. Several of its rounds become one stage: their factors are made
// ready one behind the other and then multiplied over all of the stage. Why: the sums are read and written
// once a stage, not once a round; a left factor that lies as the product reads it is not copied; and a right
// factor that the next program reads again stays ready. Each element adds up in the same order as before.
// Limits: what hangs on emission (costs, forms of carried values) is asked there (StagedProducts.cpp).
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_PLAN_STAGING_H
#define TRISECT_BACKENDS_CPU_PLAN_STAGING_H

#include "backends/cpu/dot/Form.h"
#include "backends/cpu/orc/Machine.h"
#include "backends/cpu/plan/MaskBounds.h"
#include "backends/cpu/plan/Pointers.h"
#include "core/ir/FuncOps.h"
#include "core/ir/Ops.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <string>

namespace trisect::cpu {

struct Staging {
  tt::DotOp dot;
  tt::LoadOp left, right;
  unsigned sums = 0;  ///< number of the carried block
  int64_t rounds = 1; ///< of the loop in a stage
  Form form;
  int64_t stages = 1; ///< that stay ready for the next program; 1: none does
  /// Of the masks, along k, if both factors are zero where these are off: what lies behind both is not
  /// multiplied.
  llvm::SmallVector<Bound, 2> leftEnds, rightEnds;
  /// Scalars from outside that the right factor depends on, besides the kernel's arguments: while they have
  /// the values of the program before, so has the factor.
  llvm::SmallVector<mlir::Value> keys;

  bool endsEarly() const { return !leftEnds.empty() && !rightEnds.empty(); }
  std::string describe() const;
};

std::optional<Staging> stagingOf(mlir::scf::ForOp loop, Pointers &pointers, const Machine &machine);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_PLAN_STAGING_H
