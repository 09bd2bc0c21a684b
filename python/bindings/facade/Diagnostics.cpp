//===- Diagnostics.cpp - collect, point at, throw -------------------------------------------------------===//
#include "python/bindings/facade/Diagnostics.h"
#include "python/bindings/facade/IrState.h"

namespace trisect::ir {

Diagnostics::Diagnostics(mlir::MLIRContext *context, std::string_view source, std::string_view fileName)
    : source(source), fileName(fileName), handler(context, [this](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
          add(diagnostic);
        return mlir::success();
      }) {}

void Diagnostics::add(mlir::Diagnostic &diagnostic) {
  SourcePosition where = filePosition(diagnostic.getLocation());
  if (!any())
    first = where;
  append(where, "error", diagnostic.str());
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    append(filePosition(note.getLocation()), "note", note.str());
}

static std::string_view lineOf(std::string_view source, int number) {
  for (int line = 1; line < number; ++line) {
    size_t end = source.find('\n');
    if (end == std::string_view::npos)
      return {};
    source.remove_prefix(end + 1);
  }
  return source.substr(0, source.find('\n'));
}

void Diagnostics::append(const SourcePosition &where, std::string_view kind, const std::string &sentence) {
  if (any())
    text += '\n';
  if (where.known())
    text += where.str() + ": ";
  text += std::string(kind) + ": " + sentence;
  if (!where.known() || where.file != fileName)
    return;
  std::string_view line = lineOf(source, where.line);
  if (line.empty() || line.size() > 400)
    return;
  text += "\n  " + std::string(line);
  if (where.column > 0)
    text += "\n  " + std::string(size_t(where.column - 1), ' ') + "^";
}

void Diagnostics::throwInvalid(std::string_view otherwise) const {
  throw InvalidInput(any() ? text : std::string(otherwise), first);
}

} // namespace trisect::ir
