//===- DumpInstrumentation.h - shows the IR before every pass -------------------------------------------===//
//
// What: connects a pass manager to a DumpSink: MLIR_ENABLE_DUMP prints, TRISECT_DUMP keeps files;
// MLIR_ENABLE_TIMING prints how long passes take, TRITON_REPRODUCER_PATH keeps what repeats them.
// Limits: shows what a pass runs on, a module or one function, not what lies around it.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_PASSES_DUMPINSTRUMENTATION_H
#define TRISECT_CORE_PASSES_DUMPINSTRUMENTATION_H

#include "core/support/DumpSink.h"

#include <memory>

namespace mlir {
class ModuleOp;
class PassManager;
} // namespace mlir

namespace trisect::tt {

/// The sink must outlive the runs of the pass manager.
void dumpBeforePasses(mlir::PassManager &manager, DumpSink &sink);

/// Does what the environment asks of a pass manager that is to run on `module`. The result, which may be
/// null, must outlive the run.
std::unique_ptr<DumpSink> showPassesIfAsked(mlir::PassManager &manager, mlir::ModuleOp module);

} // namespace trisect::tt

#endif // TRISECT_CORE_PASSES_DUMPINSTRUMENTATION_H
