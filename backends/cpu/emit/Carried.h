//===- Carried.h - what a counted loop carries, value by value ------------------------------------------===//
//
// What: in which form each carried value of an scf.for lives in the emitted loop, and what it begins as.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_CARRIED_H
#define TRISECT_BACKENDS_CPU_EMIT_CARRIED_H

#include "backends/cpu/emit/KernelState.h"

namespace trisect::cpu {

struct Carried {
  enum class Form : uint8_t { Scalar, Induction, Buffer };
  llvm::SmallVector<Form> forms;
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> steps;
  llvm::SmallVector<mlir::Value> strides;          ///< of inductions, where the loop does not change them
  llvm::SmallVector<mlir::Value> initial;          ///< of the emitted loop
  llvm::SmallVector<mlir::Value> moved, arguments; ///< tensors in buffers
  llvm::SmallVector<Buffer> targets;
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_CARRIED_H
