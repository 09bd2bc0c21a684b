//===- Repeats.h - values of a row that come again ------------------------------------------------------===//
//
// What: for the operations that one loop over a row does, which of their values hang on the position through
// one `x % n` or `x / n` alone, so that the row has few different ones, and are dear: quotients, roots,
// functions. They are made once for each different number, before the loop, which then reads them. Why: a
// norm of channels divides by the root of a channel's variance, not of an element's. Limits: n is a constant
// whose multiples cut no chunk of lanes, the row meets every number at least twice, and what is loaded for
// them may be read before anything that the row writes.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_PLAN_REPEATS_H
#define TRISECT_BACKENDS_CPU_PLAN_REPEATS_H

#include "core/ir/Ops.h"
#include "llvm/ADT/SmallVector.h"
#include <functional>

namespace trisect::cpu {

struct Repeats {
  mlir::Operation *by = nullptr;            ///< the `x % n` or `x / n`
  int64_t numbers = 0;                      ///< so many different ones it gives in a row, one after another
  llvm::SmallVector<tt::LoadOp, 4> loads;   ///< what the values are made of, in program order
  llvm::SmallVector<mlir::Value, 2> values; ///< the last ones that hang on nothing else
};

/// The row of a loop.
struct Row {
  llvm::ArrayRef<mlir::Operation *> members;              ///< what the loop does, in program order
  int64_t extent = 0, lanes = 0;                          ///< elements, and those of a chunk
  std::function<bool(mlir::Value)> stored;                ///< the value is read from a buffer
  std::function<bool(tt::LoadOp)> mayMove;                ///< the load may go before all that the row writes
  std::function<int64_t(mlir::Value, size_t)> alignedRun; ///< of an index along an axis (AxisInfo)
};

llvm::SmallVector<Repeats, 1> repeatsOf(const Row &row);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_PLAN_REPEATS_H
