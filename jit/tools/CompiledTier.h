//===- CompiledTier.h - a compiled tier under test ------------------------------------------------------===//
//
// What: lets the run-test files of tests/ops run on a code generator.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_TOOLS_COMPILEDTIER_H
#define TRISECT_JIT_TOOLS_COMPILEDTIER_H

#include "interp/tools/RunTest.h"

namespace trisect::tools {

/// Each run goes two ways that must agree: with arguments known to be disjoint, and with nothing known of
/// them. Throws InvalidInput if this build or machine has no such tier.
TierUnderTest compiledTier(const std::string &name);

} // namespace trisect::tools

#endif // TRISECT_JIT_TOOLS_COMPILEDTIER_H
