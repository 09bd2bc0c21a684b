//===- CompiledTier.h - a compiled tier under test ------------------------------------------------------===//
//
// What: lets the run-test files of tests/ops run on a code generator, on the host or on a device.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_TOOLS_COMPILEDTIER_H
#define TRISECT_JIT_TOOLS_COMPILEDTIER_H

#include "interp/tools/RunTest.h"

namespace trisect::tools {

/// Each run goes several ways that must agree: on the host with arguments known to be disjoint, and with
/// nothing known of them; on a device with 4, 1 and 8 warps. Throws InvalidInput if this build or machine has
/// no such tier.
TestedTier compiledTier(const std::string &name);

} // namespace trisect::tools

#endif // TRISECT_JIT_TOOLS_COMPILEDTIER_H
