//===- Compile.h - the stages of tier 1 -----------------------------------------------------------------===//
//
// What: takes one kernel of a TTIR module through all stages: prepared TTIR, vector loops, LLVM dialect, LLVM
// IR, object. Each stage goes to the dump sink.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_COMPILE_H
#define TRISECT_BACKENDS_CPU_COMPILE_H

#include "backends/cpu/AssertHook.h"
#include "core/ir/FuncOps.h"
#include "core/support/DumpSink.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <memory>
#include <string>
#include <string_view>

namespace llvm {
class MemoryBuffer;
}

namespace trisect::cpu {

/// Inlines calls and simplifies, in place; gives the kernel. Throws InvalidInput if there is none of that
/// name.
tt::FuncOp prepare(mlir::ModuleOp module, std::string_view kernel);

struct CompiledObject {
  std::unique_ptr<llvm::MemoryBuffer> object;
  int64_t scratchBytes = 0;
  bool reliesOnDisjoint = false;
  std::vector<Assertion> asserts;
};

/// Compiles a prepared kernel; `disjoint` as in LowerToVectors.h.
CompiledObject compileKernel(tt::FuncOp kernel, bool disjoint, DumpSink &dump);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_COMPILE_H
