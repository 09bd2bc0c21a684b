//===- ConvertToLlvm.h - from loops over vectors to LLVM IR ---------------------------------------------===//
//
// What: puts the program of a kernel into the loop over programs, lowers scf, arith, math and vector to the
// LLVM dialect, in place, and translates that to LLVM IR.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_CONVERTTOLLVM_H
#define TRISECT_BACKENDS_CPU_CONVERTTOLLVM_H

#include "mlir/IR/BuiltinOps.h"
#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace trisect::cpu {

/// Throws EngineError with MLIR's message.
void convertToLlvmDialect(mlir::ModuleOp module);
std::unique_ptr<llvm::Module> translateToLlvmIr(mlir::ModuleOp module, llvm::LLVMContext &context);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_CONVERTTOLLVM_H
