//===- Accumulators.h - what the rounds of a reducing loop carry ----------------------------------------===//
//
// What: the parts that each chunk of a step adds to, as a structure and as the values that a loop carries.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_ACCUMULATORS_H
#define TRISECT_BACKENDS_CPU_EMIT_ACCUMULATORS_H

#include "backends/cpu/emit/Reduction.h"

namespace trisect::cpu {

/// By reduction, by chunk of a step.
using Accumulators = llvm::SmallVector<llvm::SmallVector<Parts>>;

/// Those that change nothing; none if a reduction has no such value.
std::optional<Accumulators> neutralAccumulators(Code &code, llvm::ArrayRef<tt::ReduceOp> reduces,
                                                unsigned lanes, unsigned chunks);
llvm::SmallVector<mlir::Value> flatten(const Accumulators &accumulators);
/// `values` in the structure of `like`.
Accumulators unflatten(const Accumulators &like, mlir::ValueRange values);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_ACCUMULATORS_H
