//===- Libdevice.h - what the functions of CUDA's device library take and give --------------------------===//
//
// What: the operands and the result of a `__nv_*` function that tt.extern_elementwise calls. Why: every tier
// takes it from the name what lies behind the operands; one too few, or of another type, is memory of others.
// Limits: a name that is not known is a tier's to refuse.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_LIBDEVICE_H
#define TRISECT_CORE_IR_LIBDEVICE_H

#include "mlir/IR/Operation.h"

namespace trisect {

/// Fails with a diagnostic of `op` if it calls a function that is known with other types.
mlir::LogicalResult verifyLibdeviceCall(mlir::Operation *op, llvm::StringRef symbol);

} // namespace trisect

#endif // TRISECT_CORE_IR_LIBDEVICE_H
