//===- KernelLimits.h - what can be a kernel at all -----------------------------------------------------===//
//
// What: refuses functions that no tier can launch: parameters that a host has no value for, and calls that
// multiply beyond all memory. Why: a tier that meets them deep in its work can only say so in the words of
// the library that gave up.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_KERNELLIMITS_H
#define TRISECT_CORE_IR_KERNELLIMITS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace trisect::tt {

/// Throws InvalidInput with the position of the function or the call.
void checkKernelLimits(mlir::ModuleOp module, mlir::FunctionOpInterface kernel);

} // namespace trisect::tt

#endif // TRISECT_CORE_IR_KERNELLIMITS_H
