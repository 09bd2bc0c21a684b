//===- CompiledTier.h - a compiled tier under test ------------------------------------------------------===//
//
// What: lets the run-test files of tests/ops run on a code generator, on the host or on a device.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_TOOLS_COMPILEDTIER_H
#define TRISECT_JIT_TOOLS_COMPILEDTIER_H

#include "backends/target/Target.h"
#include "interp/tools/RunTest.h"

namespace trisect::tools {

/// Where the code of a tier runs.
struct Place {
  Target *target;
  Device *device;
  DeviceId where;
};

/// The first device, of whatever kind. Throws InvalidInput if this build or machine has no such tier.
Place placeOf(const std::string &name);

/// Each run goes several ways that must agree: on the host with arguments known to be disjoint, and with
/// nothing known of them; on a device with 4, 1 and 8 warps. Throws as placeOf does.
TestedTier compiledTier(const std::string &name);

} // namespace trisect::tools

#endif // TRISECT_JIT_TOOLS_COMPILEDTIER_H
