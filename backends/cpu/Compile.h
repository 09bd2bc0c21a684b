//===- Compile.h - the stages of tier 1 -----------------------------------------------------------------===//
//
// What: takes one kernel of a TTIR module through all stages: prepared TTIR, vector loops, LLVM dialect, LLVM
// IR, object. Each stage goes to the dump sink.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_COMPILE_H
#define TRISECT_BACKENDS_CPU_COMPILE_H

#include "backends/target/Artifact.h"
#include "core/ir/FuncOps.h"
#include "core/support/DumpSink.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <string>
#include <string_view>
#include <vector>

namespace trisect::cpu {

struct Machine;

/// The function of that name; throws InvalidInput if there is none.
tt::FuncOp findKernel(mlir::ModuleOp module, std::string_view kernel);
/// Inlines calls and simplifies, in place; gives the kernel.
tt::FuncOp prepare(mlir::ModuleOp module, std::string_view kernel);

struct CompiledObject {
  std::string object;
  int64_t scratchBytes = 0;
  bool reliesOnDisjoint = false;
  std::vector<Assertion> asserts;
  std::vector<WaitPlace> waits;
  std::vector<Path> paths;
  AtomicsUse atomics = AtomicsUse::None;
  std::vector<uint32_t> plainArguments;
  std::vector<Streamed> streamed;
};

/// Throws Unsupported if a function of the module calls this process (cpu/runtime): its code runs nowhere
/// else.
void requireNoRuntime(mlir::ModuleOp module);

struct CodeForm {
  bool disjoint = true; ///< as in LowerToVectors.h
  bool lines = false;   ///< with lines of the source (SourceLines.h)
};

/// Compiles a prepared kernel for a machine.
CompiledObject compileKernel(tt::FuncOp kernel, const Machine &machine, CodeForm form, DumpSink &dump);
/// The same, as texts: `vectors`, `llir`, `asm`, and the object itself.
std::vector<Stage> compileStages(tt::FuncOp kernel, const Machine &machine, CodeForm form);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_COMPILE_H
