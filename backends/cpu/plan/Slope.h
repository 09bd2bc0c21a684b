//===- Slope.h - how far apart neighbours of a block are ------------------------------------------------===//
//
// What: by how much the elements of an index or pointer block grow from one to the next along a dimension,
// where its arithmetic shows it; pointers count in elements. Why: decides in which order a block is read.
// Limits: a guess for speed. It looks past what wraps (`x % n`, narrow integers) and takes a loop-carried
// block for what it starts as.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_PLAN_SLOPE_H
#define TRISECT_BACKENDS_CPU_PLAN_SLOPE_H

#include "mlir/IR/Value.h"
#include <optional>

namespace trisect::cpu {

std::optional<int64_t> slopeAlong(mlir::Value block, int64_t dimension);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_PLAN_SLOPE_H
