//===- Tier.h - a rung of the ladder --------------------------------------------------------------------===//
//
// What: a target together with the device that runs its code on the memory of a launch. Why: the ladder, the
// cross-check and reports know tiers only as this; what there is comes from the registry of targets.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_TIERS_TIER_H
#define TRISECT_JIT_TIERS_TIER_H

#include "backends/target/Target.h"
#include "jit/kernel/Kernel.h"
#include <memory>
#include <optional>
#include <string_view>

namespace trisect::jit {

struct Tier {
  Target *target = nullptr;
  Device *device = nullptr;
  friend bool operator==(const Tier &, const Tier &) = default;
};

/// The tier that a user names, for memory of a device. Throws Unsupported if there is none.
Tier tierNamed(std::string_view name, DeviceId where);
/// The tier to which kernels on memory of a device are promoted; nothing: they stay in tier 0.
std::optional<Tier> tierFor(DeviceId where);

/// Compiles in an MLIR context of its own. Throws as Target::compile() does.
std::shared_ptr<const Artifact> compileFor(const Tier &tier, const Kernel &kernel, Form form);

} // namespace trisect::jit

#endif // TRISECT_JIT_TIERS_TIER_H
