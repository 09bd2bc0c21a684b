//===- Tier.h - what can run a kernel -------------------------------------------------------------------===//
//
// What: a tier compiles kernels to executables; policy, cross-check and reports see tiers only through this.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_KERNEL_TIER_H
#define TRISECT_JIT_KERNEL_TIER_H

#include "core/support/Executable.h"
#include "jit/kernel/Kernel.h"
#include <memory>
#include <string_view>

namespace trisect::jit {

class Tier {
public:
  virtual ~Tier() = default;
  /// As in TRISECT_TIER.
  virtual std::string_view name() const = 0;
  /// Throws Unsupported, naming op and position, if the tier cannot run the kernel.
  virtual std::unique_ptr<Executable> compile(std::shared_ptr<const Kernel> kernel) = 0;
};

} // namespace trisect::jit

#endif // TRISECT_JIT_KERNEL_TIER_H
