//===- KernelLimits.cpp - parameters and calls ----------------------------------------------------------===//
#include "core/ir/KernelLimits.h"
#include "core/ir/CallLimits.h"
#include "core/ir/DiagnosticCollector.h"
#include "core/ir/Types.h"

namespace trisect::tt {

void checkKernelLimits(mlir::ModuleOp module, mlir::FunctionOpInterface kernel) {
  DiagnosticCollector diagnostics(*module.getContext());
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    auto pointer = mlir::dyn_cast<PtrType>(type);
    bool block = mlir::isa<mlir::RankedTensorType>(type);
    if (!block && !(pointer && mlir::isa<mlir::RankedTensorType>(pointer.getPointeeType())))
      continue;
    kernel.emitError("parameter ") << index << " of kernel '" << kernel.getName() << "' is a "
                                   << (block ? "block" : "pointer to a block") << ", " << type
                                   << ": a launch passes numbers, pointers to elements and descriptors; make "
                                   << "the block in the kernel";
    diagnostics.throwInvalidInput("the kernel cannot be launched");
  }
  if (failed(checkCallLimits(module)))
    diagnostics.throwInvalidInput("the kernel is too large");
}

} // namespace trisect::tt
