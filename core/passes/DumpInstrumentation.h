//===- DumpInstrumentation.h - shows the IR before every pass -------------------------------------------===//
//
// What: connects a pass manager to a DumpSink: MLIR_ENABLE_DUMP prints, TRISECT_DUMP keeps files.
// Limits: shows what a pass runs on, a module or one function, not what lies around it.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_PASSES_DUMPINSTRUMENTATION_H
#define TRISECT_CORE_PASSES_DUMPINSTRUMENTATION_H

#include "core/support/DumpSink.h"

namespace mlir {
class PassManager;
} // namespace mlir

namespace trisect::tt {

/// The sink must outlive the runs of the pass manager.
void dumpBeforePasses(mlir::PassManager &manager, DumpSink &sink);

} // namespace trisect::tt

#endif // TRISECT_CORE_PASSES_DUMPINSTRUMENTATION_H
