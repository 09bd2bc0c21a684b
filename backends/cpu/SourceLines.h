//===- SourceLines.h - lines of the kernel's source in its code -----------------------------------------===//
//
// What: describes the functions of a module in the LLVM dialect, and where each operation comes from, as LLVM
// wants it for a table of lines. Why: debuggers and profilers that know nothing of kernels break at their
// lines and name them. Limits: lines alone, no variables; what was inlined shows its own line, in the kernel.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_SOURCELINES_H
#define TRISECT_BACKENDS_CPU_SOURCELINES_H

#include "mlir/IR/BuiltinOps.h"
#include <string_view>

namespace trisect::cpu {

/// The module's entry gets the kernel's name, other functions keep theirs. Does nothing if no operation has a
/// known position.
void describeSource(mlir::ModuleOp module, std::string_view kernel);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_SOURCELINES_H
