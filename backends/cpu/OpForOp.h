//===- OpForOp.h - arithmetic in the LLVM dialect -------------------------------------------------------===//
//
// What: puts an operation of the LLVM dialect in the place of each one of arith, vector, math and cf that has
// one of the same operands and types; what nothing uses goes. Why: MLIR's dialect conversion, which can more,
// takes five times as many instructions for the same, and nearly all operations of a kernel are of this kind.
// Limits: what has no such operation, or types that LLVM lacks, stays for the conversion.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_OPFOROP_H
#define TRISECT_BACKENDS_CPU_OPFOROP_H

#include "mlir/IR/BuiltinOps.h"

namespace trisect::cpu {

/// Converts what it can; true if nothing is left for a conversion.
bool convertOpForOp(mlir::ModuleOp module);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_OPFOROP_H
