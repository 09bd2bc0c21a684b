//===- DiagnosticCollector.cpp - MLIR's diagnostics as an exception, thrown in time ---------------------===//
#include "core/ir/DiagnosticCollector.h"
#include "core/ir/Locations.h"
#include "core/support/Options.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace trisect::tt {

static Severity severityOf(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return Severity::Error;
  case DiagnosticSeverity::Warning:
    return Severity::Warning;
  case DiagnosticSeverity::Remark:
    return Severity::Remark;
  case DiagnosticSeverity::Note:
    return Severity::Note;
  }
  return Severity::Error;
}

static trisect::Diagnostic convert(mlir::Diagnostic &diagnostic, std::string (*reword)(std::string)) {
  trisect::Diagnostic result;
  result.severity = severityOf(diagnostic.getSeverity());
  result.position = positionOf(diagnostic.getLocation());
  result.message = reword ? reword(diagnostic.str()) : diagnostic.str();
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    result.notes.push_back(convert(note, reword));
  return result;
}

DiagnosticCollector::Attached::Attached(MLIRContext &context)
    : context(context), operations(context.shouldPrintOpOnDiagnostic()),
      stacktraces(context.shouldPrintStackTraceOnDiagnostic()) {
  for (const std::string &asked : optionList(OptionId::MlirDiagnostics)) {
    if (asked == "operations")
      context.printOpOnDiagnostic(true);
    else if (asked == "stacktraces")
      context.printStackTraceOnDiagnostic(true);
    else
      printed = std::max(printed, asked == "remarks" ? Severity::Remark : Severity::Warning);
  }
}

DiagnosticCollector::Attached::~Attached() {
  context.printOpOnDiagnostic(operations);
  context.printStackTraceOnDiagnostic(stacktraces);
}

DiagnosticCollector::DiagnosticCollector(MLIRContext &context, std::string (*reword)(std::string))
    : attached(context), handler(&context, [this, reword](mlir::Diagnostic &diagnostic) {
        collected.push_back(convert(diagnostic, reword));
        const trisect::Diagnostic &latest = collected.back();
        if (latest.severity != Severity::Error && latest.severity <= attached.printed)
          llvm::errs() << trisect::render(latest, {}, wantsColour(2));
      }) {}

bool DiagnosticCollector::hasErrors() const {
  return llvm::any_of(collected,
                      [](const auto &diagnostic) { return diagnostic.severity == Severity::Error; });
}

std::string DiagnosticCollector::render(SourceText source) const {
  std::string text;
  for (const trisect::Diagnostic &diagnostic : collected)
    if (diagnostic.severity == Severity::Error)
      text += trisect::render(diagnostic, source);
  return text;
}

void DiagnosticCollector::throwInvalidInput(std::string_view fallback, SourceText source) const {
  for (const trisect::Diagnostic &diagnostic : collected)
    if (diagnostic.severity == Severity::Error)
      throw InvalidInput(render(source), diagnostic.position);
  throw InvalidInput(std::string(source.file) + ": error: " + std::string(fallback));
}

} // namespace trisect::tt
