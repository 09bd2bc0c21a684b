//===- TieredKernel.h - a kernel that moves from tier to tier -------------------------------------------===//
//
// What: the entry of every launch. Workflow: a kernel starts in tier 0; once it is hot (Policy), or was so in
// an earlier process (FormCache), a compiled form is taken from the cache or made in the background
// (Variant); before that form runs for the first time, and whenever a launch lies outside of what was
// compared (Trust), some programs are compared with tier 0 alone (compareAlone), and only if they are equal
// does the form run. Errors: a compile or a comparison that fails keeps tier 0, says so once, and never fails
// the launch; a tier that is demanded by name throws what kept it from being compiled. What tier 0 ran is
// right by definition: there is nothing to repair after a difference. Limits: a form that was found different
// is withdrawn for good.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_LAUNCH_TIEREDKERNEL_H
#define TRISECT_JIT_LAUNCH_TIEREDKERNEL_H

#include "jit/check/Evidence.h"
#include "jit/launch/Tally.h"
#include "jit/reference/InterpExecutable.h"
#include "jit/tiers/Ladder.h"
#include "jit/tiers/Policy.h"
#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace trisect::jit {

class TieredKernel {
public:
  static std::shared_ptr<TieredKernel> create(std::shared_ptr<const Kernel> kernel,
                                              std::shared_ptr<const FormCache> cache = nullptr,
                                              bool wasHot = false);
  /// A kernel whose forms are kept on a shelf. `text`: that of the module, by which they are known; `source`:
  /// text or bytecode, which is not read if there is a form for the tier named.
  static std::shared_ptr<TieredKernel> open(std::string_view source, std::string_view text,
                                            const std::string &name, const KernelOptions &options,
                                            const std::string &tier, std::shared_ptr<Shelf> shelf);

  /// Throws KernelFault, Unsupported (a tier demanded by name cannot run it), InvalidInput or EngineError.
  void launch(const LaunchRequest &given);

  /// Whether the next launch looks at LaunchRequest::tensors if its memory is where that of the last was:
  /// only a compiled form that is trusted may do without them.
  bool wantsTensors() const;
  /// As launch(), unless it looks at LaunchRequest::tensors: then false, and nothing has run.
  bool launchWithoutTensors(const LaunchRequest &given);

  const Kernel &kernel() const { return *source; }
  /// The tier that ran the last launch; empty before the first.
  std::string tier() const;
  std::vector<Event> events() const { return ladder.events(); }
  Tally tally() const;

private:
  TieredKernel(std::shared_ptr<const Kernel> kernel, std::shared_ptr<const FormCache> cache, bool wasHot);
  /// What options say of a launch; it asks once.
  struct Settings {
    Policy policy;
    SanitizeOptions sanitize;
    bool direct = false; ///< compiled code is promoted, and launches on a GPU are not looked at
  };
  static const Settings &settingsOfThread();
  Settings settings() const;
  bool looksAtTensors(const Settings &now, bool device) const;
  /// Whether a launch says what tensors there are.
  enum class Views : uint8_t { Told, Missing };
  /// False if it looks at tensors that are missing; then nothing has run.
  bool launch(const LaunchRequest &given, Settings &now, Views views);
  /// Code for one GPU that takes every launch there: such a launch asks for no tier and no form.
  struct Direct {
    DeviceId where;
    Choice choice;
  };
  void noteDirect(const LaunchRequest &request, const Choice &choice);
  /// False if more must be asked; then nothing has run.
  bool launchDirectly(const LaunchRequest &request);
  InterpExecutable &interpreter();
  Choice choose(const LaunchRequest &request, const Policy &policy);
  void launchInterpreted(const LaunchRequest &request);
  Trust::Step stepFor(const Choice &choice, const LaunchRequest &request, const Policy &policy) const;
  /// False if tier 0 is to run the launch.
  bool launchCompiled(const Choice &choice, const LaunchRequest &request, const Policy &policy,
                      Trust::Step step);
  void judgePace(Variant &variant, const LaunchRequest &request, int64_t nanoseconds);
  bool compare(const Choice &choice, const LaunchRequest &request, const Policy &policy, Trust::Step step);
  /// What one comparison found, and by which paths it went.
  struct Compared {
    Verdict verdict;
    PathSet paths;
    int64_t nanoseconds = 0;
    std::optional<Evidence> evidence;
  };
  std::vector<ProgramRange> sampleFor(const Choice &choice, const LaunchRequest &request, Trust::Step step);
  Compared compareOn(const Choice &choice, const LaunchRequest &request,
                     const std::vector<ProgramRange> &sample);
  /// Compares other programs until one writes something, if none has so far.
  void lookFurther(const Choice &choice, const LaunchRequest &request, Compared &found);
  /// What of a launch has run on the compiled form before it was compared.
  enum class Ran : uint8_t { Nothing, Part, All };
  bool conclude(const Choice &choice, const LaunchRequest &request, const Policy &policy, Compared &&found,
                Ran ran = Ran::Nothing);
  bool launchWatched(const Choice &choice, const LaunchRequest &request, const Policy &policy,
                     PathSet untried);
  /// A launch that is watched: the programs that have not run, and the paths on which there was nothing to
  /// see: `passed` are no longer asked about in it.
  struct Watched {
    PathWatch watch;
    bool repeats; ///< whether it may begin anew after some programs have run
    std::vector<ProgramRange> open;
    PathSet passed = {}, quiet = {};
    int64_t nanoseconds = 0; ///< for comparing what was quiet
  };
  bool followPaths(const Choice &choice, const LaunchRequest &request, const Policy &policy,
                   Watched &watched);
  bool comparePaths(const Choice &choice, const LaunchRequest &request, const Policy &policy,
                    const std::vector<PathWatch::Taken> &taken, Watched &watched);
  static void launchOpen(const Choice &choice, const LaunchRequest &request, Watched &watched);
  /// Whether tensors were seen to lie apart; what a form was chosen for is known already.
  bool sharesNoMemory(const Artifact &chosen, const LaunchRequest &request) const;
  Event eventOf(const Variant &variant, const Verdict &verdict, Trust::Level before, const Policy &policy,
                Ran ran) const;

  std::shared_ptr<const Kernel> source;
  std::string pinnedTier;  ///< what the kernel's option `tier` says instead of the environment; may be empty
  std::string ownSanitize; ///< what its option `sanitize` says; may be empty
  unsigned threads = 0;    ///< host threads that the kernel's options ask for
  Guard apart;             ///< all pointers reach different memory
  bool wasHot;             ///< in an earlier process
  Ladder ladder;
  Pace pace; ///< of tier 0
  mutable ForkMutex tallyLock;
  Tally compared; ///< what comparisons found; launches are counted elsewhere
  std::once_flag decoded, directMade;
  std::unique_ptr<const Direct> directOwned;
  std::atomic<const Direct *> direct{nullptr}; ///< the first GPU's
  std::unique_ptr<InterpExecutable> tier0;
  std::atomic<bool> onDevice{false};                  ///< the last launch, which the next will be like
  std::atomic<bool> missedTensors{false};             ///< a comparison could not do without
  std::atomic<bool> toldOfHost{false};                ///< that launches on a GPU run in tier 0
  std::atomic<const std::string *> lastTier{nullptr}; ///< a variant's, or tier 0's
  std::atomic<int64_t> interpreted{0}, interpretedNanoseconds{0}, comparisons{0};
};

} // namespace trisect::jit

#endif // TRISECT_JIT_LAUNCH_TIEREDKERNEL_H
