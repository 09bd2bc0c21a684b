//===- Variant.h - one compiled form of a kernel on one tier --------------------------------------------===//
//
// What: takes the code from the cache, or compiles once, in the background or for whoever must have it; holds
// the code, how far it is believed and what happened to it. Why: each form is other code: what is known of
// one says nothing of another. Limits: what could not be compiled is not tried again.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_TIERS_VARIANT_H
#define TRISECT_JIT_TIERS_VARIANT_H

#include "core/support/ForkGate.h"
#include "jit/cache/FormCache.h"
#include "jit/tiers/Event.h"
#include "jit/tiers/Pace.h"
#include "jit/tiers/Tier.h"
#include "jit/tiers/Trust.h"
#include "jit/tiers/Turn.h"
#include <atomic>
#include <exception>
#include <memory>
#include <string>

namespace trisect::jit {

class Variant : public std::enable_shared_from_this<Variant> {
public:
  struct Code {
    std::shared_ptr<const Artifact> artifact;
    std::unique_ptr<Executable> executable;
  };

  /// Without a cache code lasts as long as the variant.
  Variant(std::shared_ptr<const Kernel> kernel, std::shared_ptr<const FormCache> cache, Tier tier, Form form);

  /// The code if it is there or in the cache; else null, and it is being compiled in the background unless
  /// that failed. Lives as long as the variant.
  const Code *poll();
  /// The code; compiles here or waits for the thread that does. Throws what kept it from being compiled:
  /// Unsupported, InvalidInput or EngineError.
  const Code &require();

  /// Tells later processes what trust has learned since it was last asked; `verdict` in words.
  void remember(const std::string &verdict);

  const std::string &tierName() const { return name; }
  MemorySpace &memory() const { return tier.device->memory(); }
  const Tier &rung() const { return tier; }
  Form form() const { return which; }

  Trust trust;
  EventLog log;
  Turn checking;                 ///< held while a launch of this variant is compared
  Pace pace;                     ///< of timed launches
  std::atomic<bool> slow{false}; ///< slower than tier 0: runs only where it is demanded
  std::atomic<bool> told{false}; ///< that tier 0 runs in its place where it was demanded

private:
  enum class State : uint8_t { Cold, Queued, Ready, Failed };

  void compile();
  /// Takes the code from the cache; false if that has none which can be loaded. Under `compiling`.
  bool adopt();
  std::unique_ptr<const Code> make();
  void install(std::unique_ptr<const Code> made);
  /// What other processes found of the same code.
  void recall(std::span<const TrustRecord> records);
  void keep(const Artifact &artifact);
  void fail(std::exception_ptr why, const std::string &text);
  /// Keeps a bundle of a compile that broke; what is added to its sentence.
  std::string keepFailure(const std::string &sentence) const;

  std::shared_ptr<const Kernel> kernel;
  std::shared_ptr<const FormCache> cache;
  Tier tier;
  Form which;
  std::string name;
  std::atomic<bool> lookedUp{false};
  ForkMutex compiling; ///< held by the thread that compiles
  ForkMutex lock;      ///< of what follows
  State state = State::Cold;
  std::unique_ptr<const Code> code;
  std::exception_ptr failure;
  std::atomic<const Code *> ready{nullptr}; ///< `code`, for launches: without a lock
};

} // namespace trisect::jit

#endif // TRISECT_JIT_TIERS_VARIANT_H
