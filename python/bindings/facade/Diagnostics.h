//===- Diagnostics.h - MLIR's diagnostics as outcomes ---------------------------------------------------===//
//
// What: collects what MLIR says while in scope, and throws it afterwards with the source line and a caret.
// Why: nothing may be thrown through a frame of libMLIR.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_FACADE_DIAGNOSTICS_H
#define TRISECT_PYTHON_BINDINGS_FACADE_DIAGNOSTICS_H

#include "core/support/Outcome.h"
#include "mlir/IR/Diagnostics.h"
#include <string>
#include <string_view>

namespace trisect::ir {

class Diagnostics {
public:
  /// `source` is the text that positions in `fileName` refer to, for the caret; it may be empty.
  Diagnostics(mlir::MLIRContext *context, std::string_view source = {}, std::string_view fileName = {});

  bool any() const { return !text.empty(); }
  const SourcePosition &position() const { return first; }
  const std::string &str() const { return text; }
  /// Throws InvalidInput with all errors, or with `otherwise` if there was none.
  [[noreturn]] void throwInvalid(std::string_view otherwise) const;

private:
  void add(mlir::Diagnostic &diagnostic);
  void append(const SourcePosition &where, std::string_view kind, const std::string &sentence);

  std::string_view source;
  std::string_view fileName;
  std::string text;
  SourcePosition first;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace trisect::ir

#endif // TRISECT_PYTHON_BINDINGS_FACADE_DIAGNOSTICS_H
