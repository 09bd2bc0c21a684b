//===- ApartColumns.h - blocks whose columns do not meet ------------------------------------------------===//
//
// What: of a pointer block whose rows follow each other element by element, what a program must ask so that
// no two lanes have one address: that its columns lie further apart than its rows reach. Why: lanes that do
// not meet may be written in any order, and how far columns lie apart is often an argument of the kernel.
// Limits: sums and products of ranges, and `x % n` and `x / n` by constants where no block of x crosses a
// multiple of n. What is asked is enough whatever wraps.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_PLAN_APARTCOLUMNS_H
#define TRISECT_BACKENDS_CPU_PLAN_APARTCOLUMNS_H

#include "mlir/IR/Builders.h"
#include <optional>

namespace trisect::cpu {

/// Builds the question, i1, from scalars that the block is computed from. No value: lanes may meet whatever
/// they are; a null one: nothing need be asked.
std::optional<mlir::Value> askColumnsApart(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointer);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_PLAN_APARTCOLUMNS_H
