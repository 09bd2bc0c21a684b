//===- Generators.h - buffers filled by a word ----------------------------------------------------------===//
//
// What: `zeros`, `fill(X)`, `range(START, STEP)`, `rand(SEED)` and the others of docs/run-tests.md. Limits:
// numbers depend on the seed alone and are the same everywhere.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_TOOLS_GENERATORS_H
#define TRISECT_INTERP_TOOLS_GENERATORS_H

#include "interp/tools/Buffer.h"

namespace trisect::tools {

/// Throws InvalidInput for text that is no generator.
void generate(Buffer &buffer, std::string_view text);

} // namespace trisect::tools

#endif // TRISECT_INTERP_TOOLS_GENERATORS_H
