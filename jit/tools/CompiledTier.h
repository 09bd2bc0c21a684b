//===- CompiledTier.h - a compiled tier under test ------------------------------------------------------===//
//
// What: lets the run-test files of tests/ops run on a code generator, on the host, on a device, or on a
// processor that an emulator stands for.
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
  bool isProcessor = false;         ///< not a GPU
  OptionTexts options = {};         ///< of every compilation
  std::shared_ptr<Device> own = {}; ///< `device`, where no target has it
};

/// The first device, of whatever kind. Throws InvalidInput if this build or machine has no such tier.
Place placeOf(const std::string &name);

/// Tier 1 for a machine of that name, run by a worker in an emulator (backends/cpu/emulated). Throws
/// InvalidInput.
Place emulatedPlace(const std::string &machine, const std::string &worker, double limitSeconds);

/// Each run goes several ways that must agree: on a processor with arguments known to be disjoint, and with
/// nothing known of them; on a GPU with 4, 1 and 8 warps.
TestedTier compiledTier(const Place &place);

} // namespace trisect::tools

#endif // TRISECT_JIT_TOOLS_COMPILEDTIER_H
