//===- Ladder.h - the variants of a kernel --------------------------------------------------------------===//
//
// What: finds the variant whose guards a launch keeps, and makes it when it is first needed. Why: each tier
// and form is other code. Limits: variants live as long as the kernel.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_TIERS_LADDER_H
#define TRISECT_JIT_TIERS_LADDER_H

#include "jit/tiers/Variant.h"
#include <array>
#include <memory>
#include <vector>

namespace trisect::jit {

/// Code that fits a launch; both live as long as the ladder.
struct Choice {
  Variant *variant = nullptr;
  const Variant::Code *code = nullptr; ///< null: none
};

class Ladder {
public:
  /// Code lasts as long as the ladder, or is kept in a cache.
  Ladder(std::shared_ptr<const Kernel> kernel, std::shared_ptr<const FormCache> cache)
      : kernel(std::move(kernel)), cache(std::move(cache)) {}

  /// The form of a tier whose guards the launch keeps: the narrower one if it does. Without code for it,
  /// begins to compile and gives no choice; `wait`: compiles, and throws if that fails.
  Choice choose(const Tier &tier, const LaunchRequest &request, bool wait);
  /// A variant that exists, or null.
  Variant *find(const Tier &tier, Form form) const;
  /// Those that ran on compiled code.
  int64_t launches() const;
  /// Of all variants, in the order in which they happened.
  std::vector<Event> events() const;

private:
  Variant &variant(const Tier &tier, Form form);

  std::shared_ptr<const Kernel> kernel;
  std::shared_ptr<const FormCache> cache;
  mutable ForkMutex lock; ///< for changes
  std::vector<std::shared_ptr<Variant>> variants;
  std::array<std::atomic<Variant *>, 64> known{}; ///< the same, for launches: without a lock
};

} // namespace trisect::jit

#endif // TRISECT_JIT_TIERS_LADDER_H
