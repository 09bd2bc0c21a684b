//===- TieredKernel.h - a kernel that moves from tier to tier -------------------------------------------===//
//
// What: starts in tier 0, is compiled in the background once it is hot, and runs there after its first
// compiled launch has been compared with tier 0. Keeps the list of what happened. Limits: a variant that was
// found different, or could not be judged, is withdrawn for good; the lower tier goes on. A tier that the
// user demands by name runs unless it is found different.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_LAUNCH_TIEREDKERNEL_H
#define TRISECT_JIT_LAUNCH_TIEREDKERNEL_H

#include "jit/check/Verdict.h"
#include "jit/tiers/InterpTier.h"
#include "jit/tiers/Policy.h"
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace trisect::jit {

/// Something that happened to a kernel, for reports.
struct Event {
  enum class Kind : uint8_t { Compiled, Promoted, Kept, Withdrawn, Checked };
  Kind kind;
  std::string tier;
  std::string text; ///< one sentence
  std::optional<Verdict> verdict;
  double milliseconds = 0; ///< of a compile
};

std::string_view eventKindName(Event::Kind kind);

class TieredKernel : public std::enable_shared_from_this<TieredKernel> {
public:
  static std::shared_ptr<TieredKernel> create(std::shared_ptr<const Kernel> kernel);

  /// Throws KernelFault, Unsupported (a tier demanded by name cannot run it), InvalidInput or EngineError.
  void launch(const LaunchRequest &request);

  /// Whether the next launch looks at LaunchRequest::tensors: only a compiled form that is trusted may do
  /// without them.
  bool wantsTensors() const;

  const Kernel &kernel() const { return *source; }
  /// The tier that ran the last launch; empty before the first.
  std::string tier() const;
  std::vector<Event> events() const;

private:
  enum class State : uint8_t { Cold, Compiling, Ready, Trusted, Refused };

  explicit TieredKernel(std::shared_ptr<const Kernel> kernel);
  Policy currentPolicy() const;
  InterpExecutable &interpreter();
  SanitizeOptions sanitizing() const;
  void compile(const std::string &tier);
  std::shared_ptr<Executable> compiledFor(const Policy &policy);
  void launchInterpreted(const LaunchRequest &request);
  void launchSanitized(const LaunchRequest &request, const SanitizeOptions &sanitize);
  void launchCompiled(Executable &executable, const LaunchRequest &request, const Policy &policy);
  void judge(const Verdict &verdict, const Policy &policy);
  void record(Event event);

  std::shared_ptr<const Kernel> source;
  std::string pinnedTier; ///< what the kernel's option `tier` says instead of the environment; may be empty
  mutable std::mutex lock;
  std::once_flag decoded;
  std::unique_ptr<InterpExecutable> tier0;
  std::shared_ptr<Executable> compiled;
  std::string compiledTier, lastTier;
  State state = State::Cold;
  std::string refusal; ///< why the compiled tier cannot run it
  int64_t interpreted = 0, interpretedNanoseconds = 0, compiledLaunches = 0;
  std::vector<Event> log;
};

} // namespace trisect::jit

#endif // TRISECT_JIT_LAUNCH_TIEREDKERNEL_H
