//===- Structure.h - branches become ifs and loops ------------------------------------------------------===//
//
// What: rewrites every function and every region of an op that has several blocks as one block of scf.if and
// scf.while. Why: emitters then see structure alone, calls of functions with early returns can be inlined
// anywhere, and blocks that travel along a branch are results of an scf op like others.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_STRUCTURE_H
#define TRISECT_BACKENDS_CPU_STRUCTURE_H

#include "mlir/IR/BuiltinOps.h"

namespace trisect::cpu {

/// Fails with a diagnostic.
mlir::LogicalResult structureControlFlow(mlir::ModuleOp module);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_STRUCTURE_H
