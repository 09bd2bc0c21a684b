//===- Passes.h - TTIR passes and pipelines -------------------------------------------------------------===//
//
// What: constructors and registration of the passes of Passes.td, the named pipelines, and runPipeline, which
// runs passes by name on a module. Why: the command line, Python and the tiers must mean the same passes by
// the same names. Limits: names are process-wide, as MLIR keeps them; registering twice is harmless.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_PASSES_PASSES_H
#define TRISECT_CORE_PASSES_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>
#include <string>

namespace trisect::tt {

#define GEN_PASS_DECL
#include "core/passes/Passes.h.inc"

/// Makes every pass and pipeline known by its command-line name, with MLIR's own (inliner, canonicalizer,
/// CSE, SCCP, LICM, symbol DCE ...).
void registerPasses();

/// `ttir-pipeline`: inline, canonicalize, combine, reorder broadcasts, CSE, drop unused functions, unroll.
void buildTtirPipeline(mlir::OpPassManager &manager);

/// `legalize`: what makes a front end's module runnable without changing what it computes: unreachable blocks
/// and uncalled helpers go.
void buildLegalizePipeline(mlir::OpPassManager &manager);

/// Runs passes or pipelines by name, in order, each with its options if it has any (`cse`, `ttir-pipeline`,
/// `canonicalize{max-iterations=3}`). An unknown name or a failing pass is an error at the module's location.
mlir::LogicalResult runPipeline(mlir::ModuleOp module, llvm::ArrayRef<std::string> passes);

} // namespace trisect::tt

#endif // TRISECT_CORE_PASSES_PASSES_H
