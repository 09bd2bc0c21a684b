//===- CpuTarget.h - tier 1 as a target -----------------------------------------------------------------===//
//
// What: registers the target `cpu`: vector code for this processor, run on all cores.
// Limits: a kernel is compiled for disjoint arguments first and once more when a launch passes memory that
// overlaps.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_CPUTARGET_H
#define TRISECT_BACKENDS_CPU_CPUTARGET_H

#include "mlir/IR/BuiltinOps.h"
#include <cstdint>
#include <string>
#include <string_view>

namespace trisect::cpu {

/// Idempotent.
void registerCpuTarget();

/// A kernel for a program that links and launches it without this library.
struct NativeObject {
  std::string code;   ///< an object file; what it leaves open is in libm
  std::string symbol; ///< an EntryPoint (orc/Loader.h)
  int64_t scratchBytes = 0;
};

/// Compiles a kernel of a module, for arguments that may overlap; throws as Target::compile does.
NativeObject compileNative(mlir::ModuleOp module, std::string_view kernel);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_CPUTARGET_H
