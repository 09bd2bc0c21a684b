//===- TargetTier.h - a code generator as a tier --------------------------------------------------------===//
//
// What: makes a target of backends/ look like a tier.
// Why: policy and cross-check know tiers only; each compile gets a context of its own.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_TIERS_TARGETTIER_H
#define TRISECT_JIT_TIERS_TARGETTIER_H

#include "backends/target/Target.h"
#include "jit/kernel/Tier.h"

namespace trisect::jit {

/// Compiles with a target of the registry, each time in a context of its own.
class TargetTier final : public Tier {
public:
  explicit TargetTier(Target &target) : target(target) {}
  std::string_view name() const override { return target.name(); }
  std::unique_ptr<Executable> compile(std::shared_ptr<const Kernel> kernel) override;

  /// The tier of a target name, or null if this build or machine has none.
  static std::unique_ptr<TargetTier> find(std::string_view name);

private:
  Target &target;
};

} // namespace trisect::jit

#endif // TRISECT_JIT_TIERS_TARGETTIER_H
