//===- Diagnostics.h - messages with their source line and a caret --------------------------------------===//
//
// What: one shape for every message about a position in source: severity, sentence, excerpt, notes.
// Why: parse errors, refused kernels and fault reports must look alike, with colour on a terminal only.
// Limits: a column counts bytes from 1, as MLIR's do; the caret is placed by code points, so that wide
// characters shift it by one cell each.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_DIAGNOSTICS_H
#define TRISECT_CORE_SUPPORT_DIAGNOSTICS_H

#include "core/support/Outcome.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trisect {

enum class Severity : uint8_t { Error, Warning, Remark, Note };

/// `error`, `warning`, `remark`, `note`.
std::string_view severityName(Severity severity);

struct Diagnostic {
  Severity severity = Severity::Error;
  SourcePosition position;
  std::string message;
  /// Bytes that the caret underlines, from the position on.
  int length = 1;
  std::vector<Diagnostic> notes;
};

/// Text by file name, for sources that lie in no file (`<stdin>`, a notebook cell).
struct SourceText {
  std::string_view file;
  std::string_view text;
};

/// `file:line:column: error: message`, the source line and a caret, then the notes. A file that cannot be
/// read leaves the excerpt out.
std::string render(const Diagnostic &diagnostic, SourceText source = {}, bool colour = false);

/// The source line and the line with the caret, each with its newline; empty if the line does not exist.
std::string excerpt(const SourcePosition &position, int length, SourceText source = {}, bool colour = false);

/// True if the stream is a terminal that wants colour (NO_COLOR unset, TERM not dumb).
bool wantsColour(int fileDescriptor);

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_DIAGNOSTICS_H
