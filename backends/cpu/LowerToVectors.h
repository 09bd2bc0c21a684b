//===- LowerToVectors.h - one kernel from TTIR to loops over machine vectors ----------------------------===//
//
// What: builds a new module with two functions: `program`, the kernel for one program instance, and `entry`,
// which runs a range of linear program ids (EntryPoint in orc/Loader.h). Limits: calls must have been inlined
// and block pointers and descriptors rewritten.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_LOWERTOVECTORS_H
#define TRISECT_BACKENDS_CPU_LOWERTOVECTORS_H

#include "backends/cpu/orc/Machine.h"
#include "backends/target/Artifact.h"
#include "core/ir/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <vector>

namespace trisect::cpu {

struct LoweredKernel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  int64_t scratchBytes = 0;
  /// The code depends on whether arguments are disjoint.
  bool reliesOnDisjoint = false;
  std::vector<Assertion> asserts; ///< by their number in the code
  std::vector<WaitPlace> waits;   ///< likewise
  std::vector<Path> paths;        ///< likewise
  AtomicsUse atomics = AtomicsUse::None;
  std::vector<uint32_t> plainArguments;
  std::vector<Streamed> streamed;
  std::string plan; ///< decisions, a line for each, in the order of the code
};

/// For `machine`, whose registers decide how products are cut. `disjoint`: the memory behind different
/// pointer arguments does not overlap if either is written. Throws Unsupported with op and position.
LoweredKernel lowerToVectors(tt::FuncOp kernel, const Machine &machine, bool disjoint);

/// On a prepared kernel: for each argument of a launch the rank of the descriptor that it is, or 0.
inline constexpr const char *descriptorRanksAttr = "tt.descriptor_ranks";
/// The names of the kernel's function, which only the entry function calls, and of that one.
inline constexpr const char *programName = "program";
inline constexpr const char *entryName = "trisect_entry";

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_LOWERTOVECTORS_H
