//===- RegionFunction.h - the region of a reduce, scan or map as a function on scalars ------------------===//
//
// What: emits a region once, as a function of the elements that it takes, and calls it. Why: a region with
// ifs and loops has no form on vectors; a function keeps the code as long as the region is, however many
// lanes call it. Limits: regions of one block (Structure.h).
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_REGIONFUNCTION_H
#define TRISECT_BACKENDS_CPU_EMIT_REGIONFUNCTION_H

#include "backends/cpu/emit/KernelState.h"
#include "backends/cpu/plan/Pointers.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace trisect::cpu {

class RegionFunctions {
public:
  RegionFunctions(KernelState &state, Pointers &pointers) : state(state), pointers(pointers) {}

  /// The region's results for scalar arguments; what it reads from outside must have been emitted.
  llvm::SmallVector<mlir::Value> call(mlir::Region &region, mlir::ValueRange arguments);

private:
  struct Made {
    mlir::LLVM::LLVMFuncOp function;
    llvm::SmallVector<mlir::Value> outside; ///< TTIR scalars that the region reads
  };
  const Made &get(mlir::Region &region);
  llvm::SmallVector<mlir::Value> machine() const;
  void setMachine(mlir::ValueRange values);
  Made make(mlir::Region &region);

  KernelState &state;
  Pointers &pointers;
  llvm::DenseMap<mlir::Region *, Made> functions;
  unsigned count = 0;
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_REGIONFUNCTION_H
