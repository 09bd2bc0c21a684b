//===- TieredKernel.cpp - a kernel that moves from tier to tier -----------------------------------------===//
#include "jit/launch/TieredKernel.h"
#include "backends/Targets.h"
#include "backends/target/PathWatch.h"
#include "backends/target/TargetOptions.h"
#include "core/support/AddressSpace.h"
#include "core/support/Lasting.h"
#include "core/support/Options.h"
#include "core/support/Outcome.h"
#include "core/support/PerThread.h"
#include "core/support/PrintSink.h"
#include "jit/launch/Recording.h"
#include <chrono>
#include <cstdio>

namespace trisect::jit {

namespace {
const Lasting<std::string> interpName("interp");

using Clock = std::chrono::steady_clock;
int64_t nanosecondsSince(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
}
} // namespace

TieredKernel::TieredKernel(std::shared_ptr<const Kernel> kernel, std::shared_ptr<const FormCache> cache,
                           bool wasHot)
    : source(kernel), wasHot(wasHot), ladder(std::move(kernel), std::move(cache)) {
  if (auto option = source->options().find("tier"); option != source->options().end())
    pinnedTier = option->second;
  if (auto option = source->options().find("sanitize"); option != source->options().end())
    ownSanitize = option->second;
  OptionTexts wishes;
  for (const char *name : {"num_cpu_threads", "num_threads"})
    if (auto option = source->options().find(name); option != source->options().end())
      wishes.insert(*option);
  threads = TargetOptions::read(wishes).threads();
  for (size_t n = 0; n < source->parameters().size(); ++n)
    if (source->parameters()[n].type == DType::Ptr)
      apart.arguments.push_back(static_cast<uint32_t>(n));
}

std::shared_ptr<TieredKernel> TieredKernel::create(std::shared_ptr<const Kernel> kernel,
                                                   std::shared_ptr<const FormCache> cache, bool wasHot) {
  return std::shared_ptr<TieredKernel>(new TieredKernel(std::move(kernel), std::move(cache), wasHot));
}

std::shared_ptr<TieredKernel> TieredKernel::open(std::string_view source, std::string_view text,
                                                 const std::string &name, const KernelOptions &options,
                                                 const std::string &tier, std::shared_ptr<Shelf> shelf) {
  registerTargets();
  auto cache = std::make_shared<const FormCache>(std::move(shelf), text, name, options);
  if (std::optional<KernelFacts> facts = cache->factsFor(tier))
    return create(Kernel::known(std::move(*facts), std::string(text), options), cache, /*wasHot=*/true);
  return create(Kernel::create(source, name, options), cache);
}

std::string TieredKernel::tier() const {
  const std::string *last = lastTier.load(std::memory_order_relaxed);
  return last ? *last : "";
}

Tally TieredKernel::tally() const {
  std::lock_guard guard(tallyLock);
  Tally all = compared;
  all.interpreted = interpreted.load(std::memory_order_relaxed);
  all.launches = all.interpreted + ladder.launches();
  return all;
}

InterpExecutable &TieredKernel::interpreter() {
  ForkSection whole;
  std::call_once(decoded, [&] { tier0 = InterpExecutable::decode(*source); });
  return *tier0;
}

const TieredKernel::Settings &TieredKernel::settingsOfThread() {
  requireThreadStorage();
  struct Known {
    uint64_t epoch = 0;
    Settings settings;
  };
  static constinit PerThread<Known> known;
  Known &last = known.get();
  if (uint64_t now = optionEpoch(); now != last.epoch) {
    Policy policy = Policy::fromEnvironment(now);
    SanitizeOptions sanitize = currentSanitize(now);
    bool compares = policy.check == Policy::Check::Sample || policy.check == Policy::Check::Always;
    last.settings = {policy, sanitize, !compares && policy.promotes() && !sanitize.active()};
    last.epoch = now; // not before: a bad text is told at every launch
  }
  return last.settings;
}

TieredKernel::Settings TieredKernel::settings() const {
  Settings result = settingsOfThread();
  // The launch's own option goes before what holds for the process.
  if (!ownSanitize.empty())
    result.sanitize = SanitizeOptions::parse(ownSanitize);
  if (!pinnedTier.empty())
    result.policy.tier = pinnedTier;
  result.policy.foreground = Foreground::active();
  return result;
}

bool TieredKernel::wantsTensors() const {
  return looksAtTensors(settings(), onDevice.load(std::memory_order_relaxed));
}

bool TieredKernel::looksAtTensors(const Settings &now, bool device) const {
  const Policy &policy = now.policy;
  bool compares = policy.check == Policy::Check::Sample || policy.check == Policy::Check::Always;
  if (compares || policy.tier == *interpName || recording::active() || now.sanitize.active())
    return true;
  if (missedTensors.load(std::memory_order_relaxed))
    return true;
  if (device)
    return false;
  std::optional<Tier> tier;
  try {
    tier = policy.promotes() ? tierFor({}) : tierNamed(policy.tier, {});
  } catch (const Unsupported &) {
    return true; // not on the host: the launch says where its tensors are
  }
  Variant *variant = tier ? ladder.find(*tier, Form::Disjoint) : nullptr;
  if (!variant || variant->slow || variant->trust.spotIsDue())
    return true;
  // A form of which nothing can be said runs for those who demand its tier.
  Trust::Level level = variant->trust.level();
  if (level != Trust::Level::Trusted && (level != Trust::Level::Undecided || policy.promotes()))
    return true;
  const Variant::Code *code = variant->poll();
  if (!code) // another thread has read what is known of a form, and is about to give out its code
    return true;
  // A program that comes to such a path is compared.
  bool mayCompare =
      policy.check != Policy::Check::Off && variant->trust.untried(code->artifact->paths.size()).any();
  return mayCompare || !code->artifact->guards.empty() || code->executable->wantsTensors();
}

bool TieredKernel::launchWithoutTensors(const LaunchRequest &given) {
  if (launchDirectly(given))
    return true;
  OptionsHeld held;
  Settings now = settings();
  return !looksAtTensors(now, given.device.kind != DeviceKind::Host) && launch(given, now, Views::Missing);
}

void TieredKernel::launch(const LaunchRequest &given) {
  if (launchDirectly(given))
    return;
  OptionsHeld held;
  Settings now = settings();
  launch(given, now, Views::Told);
}

void TieredKernel::noteDirect(const LaunchRequest &request, const Choice &choice) {
  if (!direct.load(std::memory_order_relaxed) && request.device.kind == DeviceKind::Cuda &&
      choice.code->artifact->guards.empty() && pinnedTier.empty() && ownSanitize.empty()) {
    ForkSection whole;
    std::call_once(directMade, [&] {
      directOwned = std::make_unique<const Direct>(Direct{request.device, choice});
      direct.store(directOwned.get(), std::memory_order_release);
    });
  }
}

bool TieredKernel::launchDirectly(const LaunchRequest &request) {
  const Direct *known = direct.load(std::memory_order_acquire);
  if (!known || request.device != known->where || request.grid.programs() <= 0)
    return false;
  if (!settingsOfThread().direct || recording::active() || missedTensors.load(std::memory_order_relaxed))
    return false;
  Variant &variant = *known->choice.variant;
  Trust::Level level = variant.trust.level();
  if (level == Trust::Level::Withdrawn || level == Trust::Level::Undecided ||
      variant.slow.load(std::memory_order_relaxed))
    return false;
  onDevice.store(true, std::memory_order_relaxed);
  lastTier.store(&variant.tierName(), std::memory_order_relaxed);
  variant.trust.samplesTime(); // counts the launch
  known->choice.code->executable->launch(request);
  return true;
}

bool TieredKernel::launch(const LaunchRequest &given, Settings &now, Views views) {
  // Within another launch of this thread, which asks the host: what watches that one is not for this one.
  PathWatch::Scope unwatched(nullptr);
  HeardPrints heard;
  Policy &policy = now.policy;
  LaunchRequest request = given;
  if (request.threads == 0)
    request.threads = threads;
  if (request.args.size() != source->parameters().size())
    throw InvalidInput("kernel '" + source->name() + "' takes " +
                       std::to_string(source->parameters().size()) + " arguments; " +
                       std::to_string(request.args.size()) + " were given");
  if (request.grid.programs() <= 0)
    return true;
  bool device = request.device.kind != DeviceKind::Host;
  if (onDevice.load(std::memory_order_relaxed) != device)
    onDevice.store(device, std::memory_order_relaxed);
  // Reading programs back from a GPU before its first launch is for those who ask for it.
  if (request.device.kind == DeviceKind::Cuda && policy.check == Policy::Check::Promote)
    policy.check = Policy::Check::Off;
  if (now.sanitize.active()) {
    interpreter().launchSanitized(request, now.sanitize);
    lastTier = &*interpName;
    return true;
  }
  if (recording::active()) {
    recording::add(interpreter().launchRecorded(request));
    return true;
  }
  Choice choice = choose(request, policy);
  Trust::Step step = choice.code ? stepFor(choice, request, policy) : Trust::Step::Refuse;
  if (views == Views::Missing && step != Trust::Step::Run)
    return false;
  if (!choice.code || !launchCompiled(choice, request, policy, step))
    launchInterpreted(request);
  return true;
}

// The compiled form to run now, or none for tier 0. May start a compile.
Choice TieredKernel::choose(const LaunchRequest &request, const Policy &policy) {
  if (policy.tier == *interpName)
    return {};
  if (!policy.promotes())
    return ladder.choose(tierNamed(policy.tier, request.device), request, /*wait=*/true);
  // What a kernel prints keeps its form, whatever an earlier process demanded and left in the cache.
  if (source->traits().prints && request.device.kind == DeviceKind::Host)
    return {};
  // Tier 0 reads a GPU's memory through the host: code for the GPU runs from the first launch on.
  bool atOnce = request.device.kind == DeviceKind::Cuda;
  if (!atOnce && !wasHot &&
      !policy.isHot(interpreted.load(std::memory_order_relaxed),
                    interpretedNanoseconds.load(std::memory_order_relaxed)))
    return {};
  std::optional<Tier> tier = tierFor(request.device);
  if (!tier)
    return {};
  try {
    return ladder.choose(*tier, request, policy.foreground || atOnce);
  } catch (const OutOfResources &) {
    throw; // another configuration may fit
  } catch (const AssemblerError &) {
    throw;
  } catch (const Error &error) {
    // Its event tells why. Tier 0 reads a GPU's memory through the host: whoever waits for it must know.
    if (atOnce && !toldOfHost.exchange(true))
      std::fprintf(stderr, "trisect: launches of %s on the GPU run in tier 0, through the host: %s\n",
                   source->name().c_str(), error.what());
    return {};
  }
}

void TieredKernel::launchInterpreted(const LaunchRequest &request) {
  InterpExecutable &executable = interpreter();
  auto started = Clock::now();
  executable.launch(request);
  int64_t took = nanosecondsSince(started);
  interpretedNanoseconds += took;
  if (request.device.kind == DeviceKind::Host)
    pace.ran(workOf(request, source->parameters()), took);
  ++interpreted;
  lastTier = &*interpName;
}

Trust::Step TieredKernel::stepFor(const Choice &choice, const LaunchRequest &request,
                                  const Policy &policy) const {
  const Variant &variant = *choice.variant;
  if (variant.slow.load(std::memory_order_relaxed) && policy.promotes() && !policy.foreground)
    return Trust::Step::Refuse;
  Trust::Step step = variant.trust.stepFor(request, policy);
  bool compares = step == Trust::Step::Compare || step == Trust::Step::Spot;
  return compares && !variant.memory().canWait(request.stream) ? Trust::Step::Run : step;
}

bool TieredKernel::launchCompiled(const Choice &choice, const LaunchRequest &request, const Policy &policy,
                                  Trust::Step step) {
  Variant &variant = *choice.variant;
  bool compares = step == Trust::Step::Compare || step == Trust::Step::Spot;
  if (compares && !compare(choice, request, policy, step))
    return false;
  if (step == Trust::Step::Refuse) {
    if (!policy.promotes() && !variant.told.exchange(true))
      std::fprintf(stderr, "trisect: launches of %s that demand %s run in tier 0: it was withdrawn\n",
                   source->name().c_str(), variant.tierName().c_str());
    return false;
  }
  if (policy.promotes())
    noteDirect(request, choice);
  if (const std::string *name = &variant.tierName(); lastTier.load(std::memory_order_relaxed) != name)
    lastTier.store(name, std::memory_order_relaxed);
  PathSet untried = policy.check == Policy::Check::Off
                        ? PathSet()
                        : variant.trust.untried(choice.code->artifact->paths.size());
  // How long a launch takes is asked where it is compared now and then, or tier 0 may be faster.
  bool asked = policy.check != Policy::Check::Off || request.device.kind == DeviceKind::Host;
  bool timed = variant.trust.samplesTime() && asked;
  auto started = timed ? Clock::now() : Clock::time_point();
  if (untried.none())
    choice.code->executable->launch(request);
  else if (!launchWatched(choice, request, policy, untried))
    return false;
  if (!timed)
    return true;
  int64_t took = nanosecondsSince(started);
  variant.trust.ran(took);
  judgePace(variant, request, took);
  return true;
}

void TieredKernel::judgePace(Variant &variant, const LaunchRequest &request, int64_t nanoseconds) {
  Pace::Best compiled = variant.pace.ran(workOf(request, source->parameters()), nanoseconds),
             tier0 = pace.best();
  if (!isSlower(compiled, tier0) || variant.slow.exchange(true))
    return;
  char times[80];
  std::snprintf(times, sizeof(times), "a launch takes %.1f us there, %.1f us in tier 0",
                static_cast<double>(compiled.nanoseconds) / 1e3,
                static_cast<double>(tier0.nanoseconds) / 1e3);
  const std::string &tier = variant.tierName();
  variant.log.add(
      {Event::Kind::Kept, tier, "kept " + source->name() + " off " + tier + ": " + times, std::nullopt, 0});
}

} // namespace trisect::jit
