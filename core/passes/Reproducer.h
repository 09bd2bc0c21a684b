//===- Reproducer.h - a module that repeats a stage, or the pass that failed ----------------------------===//
//
// What: TRITON_REPRODUCER_PATH names a file that gets the module and the pipeline of every stage before it
// runs; if a pass fails, the file holds the module as it was before that pass, and that pass alone.
// `trisect-opt --run-reproducer FILE` repeats it.
// Limits: a pass that runs on functions is repeated on all functions of the module.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_PASSES_REPRODUCER_H
#define TRISECT_CORE_PASSES_REPRODUCER_H

namespace mlir {
class ModuleOp;
class PassManager;
} // namespace mlir

namespace trisect::tt {

/// Writes the file for a pass manager that is to run on `module`, and lets it be rewritten when a pass fails.
/// Throws InvalidInput if it cannot be written.
void saveReproducerIfAsked(mlir::PassManager &manager, mlir::ModuleOp module);

} // namespace trisect::tt

#endif // TRISECT_CORE_PASSES_REPRODUCER_H
