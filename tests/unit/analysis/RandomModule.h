//===- RandomModule.h - small programs of integer and pointer arithmetic --------------------------------===//
//
// What: a module with one kernel made of random operations that tests/unit/analysis/Evaluate.h can run.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_UNIT_ANALYSIS_RANDOMMODULE_H
#define TRISECT_TESTS_UNIT_ANALYSIS_RANDOMMODULE_H

#include "core/ir/Ops.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <cstdint>

namespace trisect::tt {

/// The kernel's arguments: a pointer to i32 that is a multiple of 16, an i32 that is a multiple of 8, an i32
/// of which nothing is known, and a condition.
mlir::OwningOpRef<mlir::ModuleOp> makeRandomModule(mlir::MLIRContext &context, uint64_t seed);

} // namespace trisect::tt

#endif // TRISECT_TESTS_UNIT_ANALYSIS_RANDOMMODULE_H
