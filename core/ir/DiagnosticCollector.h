//===- DiagnosticCollector.h - MLIR's diagnostics as an exception, thrown in time -----------------------===//
//
// What: collects what MLIR reports on a context while it lives; afterwards the errors can be thrown.
// MLIR_ENABLE_DIAGNOSTICS prints warnings and remarks as they come (remarks: both), and gives every report
// the operation and the stack that it came from. Why: MLIR reports through callbacks, and no exception may
// pass through its frames.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_DIAGNOSTICCOLLECTOR_H
#define TRISECT_CORE_IR_DIAGNOSTICCOLLECTOR_H

#include "core/support/Diagnostics.h"
#include "mlir/IR/Diagnostics.h"
#include <string>
#include <string_view>
#include <vector>

namespace trisect::tt {

class DiagnosticCollector {
public:
  /// `reword` is applied to every message.
  explicit DiagnosticCollector(mlir::MLIRContext &context, std::string (*reword)(std::string) = nullptr);

  /// All errors and warnings, in order, with their notes.
  const std::vector<Diagnostic> &diagnostics() const { return collected; }
  bool hasErrors() const;
  /// The errors with excerpts from the source, as text for the user.
  std::string render(SourceText source = {}) const;
  /// Throws InvalidInput with all errors, at the position of the first; `fallback` is the message if MLIR
  /// failed without one.
  [[noreturn]] void throwInvalidInput(std::string_view fallback, SourceText source = {}) const;

private:
  /// What the context attached to reports before.
  struct Attached {
    explicit Attached(mlir::MLIRContext &context);
    ~Attached();
    mlir::MLIRContext &context;
    bool operations, stacktraces;
    Severity printed = Severity::Error;
  };

  Attached attached;
  std::vector<Diagnostic> collected;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace trisect::tt

#endif // TRISECT_CORE_IR_DIAGNOSTICCOLLECTOR_H
