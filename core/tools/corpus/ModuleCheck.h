//===- ModuleCheck.h - what one module of a corpus must survive -----------------------------------------===//
//
// What: reads a module, prints it in custom form, generic form and bytecode, reads each back and compares,
// locations included; then runs the TTIR pass pipeline and verifies the outcome.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_TOOLS_CORPUS_MODULECHECK_H
#define TRISECT_CORE_TOOLS_CORPUS_MODULECHECK_H

#include "core/tools/corpus/Archive.h"
#include "mlir/IR/MLIRContext.h"
#include <string>

namespace trisect::corpus {

struct Verdict {
  /// Parsed, verified, printed and reparsed equal in all three forms.
  bool roundTrip = false;
  /// Verified after the pass pipeline.
  bool passes = false;
  /// What failed first, with its position; empty if nothing did.
  std::string failure;
};

/// Never throws: every failure is a verdict.
Verdict checkModule(const ModuleText &module, mlir::MLIRContext &context);

} // namespace trisect::corpus

#endif // TRISECT_CORE_TOOLS_CORPUS_MODULECHECK_H
