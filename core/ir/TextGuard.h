//===- TextGuard.h - refuses text that no TTIR is, before MLIR reads it ---------------------------------===//
//
// What: bounds on what a text may ask of MLIR's parser: depth of brackets, result numbers, widths of
// integers, elements of a block; and of the dialects llvm and gpu only the few operations and attributes that
// TTIR names. Why: MLIR's release build checks none of these; it would exhaust stack or memory, or meet
// undefined behaviour, and end the process. Limits: judges words, not grammar; what it lets through is the
// parser's and the verifiers' to refuse.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_TEXTGUARD_H
#define TRISECT_CORE_IR_TEXTGUARD_H

#include "core/support/Diagnostics.h"

namespace trisect::tt {

/// Throws InvalidInput with the position of the first thing that is out of bounds.
void guardText(SourceText source);

} // namespace trisect::tt

#endif // TRISECT_CORE_IR_TEXTGUARD_H
