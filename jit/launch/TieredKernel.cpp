//===- TieredKernel.cpp - a kernel that moves from tier to tier -----------------------------------------===//
#include "jit/launch/TieredKernel.h"
#include "core/support/Outcome.h"
#include "jit/check/CrossCheck.h"
#include "jit/check/Sample.h"
#include "jit/launch/Recording.h"
#include "jit/tiers/CompileQueue.h"
#include "jit/tiers/TargetTier.h"
#include <chrono>
#include <cstdio>

namespace trisect::jit {

namespace {
/// Programs compared besides the corners of the grid.
constexpr unsigned randomPrograms = 2;

int64_t nanosecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start)
      .count();
}
} // namespace

std::string_view eventKindName(Event::Kind kind) {
  switch (kind) {
  case Event::Kind::Compiled:
    return "compiled";
  case Event::Kind::Promoted:
    return "promoted";
  case Event::Kind::Kept:
    return "kept";
  case Event::Kind::Withdrawn:
    return "withdrawn";
  case Event::Kind::Checked:
    return "checked";
  }
  return "";
}

TieredKernel::TieredKernel(std::shared_ptr<const Kernel> kernel) : source(std::move(kernel)) {
  if (auto option = source->options().find("tier"); option != source->options().end())
    pinnedTier = option->second;
}

std::shared_ptr<TieredKernel> TieredKernel::create(std::shared_ptr<const Kernel> kernel) {
  return std::shared_ptr<TieredKernel>(new TieredKernel(std::move(kernel)));
}

std::string TieredKernel::tier() const {
  std::lock_guard guard(lock);
  return lastTier;
}

std::vector<Event> TieredKernel::events() const {
  std::lock_guard guard(lock);
  return log;
}

void TieredKernel::record(Event event) {
  std::lock_guard guard(lock);
  log.push_back(std::move(event));
}

InterpExecutable &TieredKernel::interpreter() {
  std::call_once(decoded, [&] { tier0 = InterpTier().decode(*source); });
  return *tier0;
}

// Compiles for a tier and moves on to Ready or Refused.
void TieredKernel::compile(const std::string &tier) {
  auto started = std::chrono::steady_clock::now();
  std::shared_ptr<Executable> made;
  std::string why;
  try {
    if (auto target = TargetTier::find(tier))
      made = target->compile(source);
    else
      why = "this machine has no " + tier + " tier";
  } catch (const std::exception &error) {
    why = error.what();
  }
  double milliseconds = nanosecondsSince(started) / 1e6;
  std::lock_guard guard(lock);
  compiledTier = tier;
  compiled = made;
  refusal = why;
  state = made ? State::Ready : State::Refused;
  std::string text =
      made ? "compiled " + source->name() + " for " + tier : source->name() + " stays in tier 0: " + why;
  log.push_back({made ? Event::Kind::Compiled : Event::Kind::Kept, tier, text, std::nullopt, milliseconds});
}

// The compiled form to run now, or null for tier 0. May start a compile.
std::shared_ptr<Executable> TieredKernel::compiledFor(const Policy &policy) {
  std::unique_lock guard(lock);
  if (policy.tier == "interp")
    return nullptr;
  if (!policy.promotes()) {
    if (state == State::Cold || (compiledTier != policy.tier && state != State::Compiling)) {
      state = State::Compiling;
      guard.unlock();
      compile(policy.tier);
      guard.lock();
    } else if (state == State::Compiling) {
      guard.unlock();
      waitForCompiles();
      guard.lock();
    }
    if (!compiled && state == State::Refused && !refusal.empty())
      throw Unsupported(refusal);
    return compiled;
  }
  if (state == State::Cold && policy.isHot(interpreted, interpretedNanoseconds)) {
    state = State::Compiling;
    compileInBackground([self = shared_from_this()] { self->compile("cpu"); });
  }
  return state == State::Ready || state == State::Trusted ? compiled : nullptr;
}

Policy TieredKernel::currentPolicy() const {
  Policy policy = Policy::fromEnvironment();
  if (!pinnedTier.empty())
    policy.tier = pinnedTier;
  return policy;
}

bool TieredKernel::wantsTensors() const {
  Policy policy = currentPolicy();
  std::lock_guard guard(lock);
  bool runsCompiled = state == State::Trusted && (policy.promotes() || policy.tier == compiledTier);
  bool compares = policy.check == Policy::Check::Sample || policy.check == Policy::Check::Always;
  return !runsCompiled || compares || compiled->wantsTensors() || recording::active() ||
         sanitizing().active();
}

// The launch's own option goes before what holds for the process.
SanitizeOptions TieredKernel::sanitizing() const {
  auto own = source->options().find("sanitize");
  bool chosen = own != source->options().end() && !own->second.empty();
  return chosen ? SanitizeOptions::parse(own->second) : currentSanitize();
}

void TieredKernel::launch(const LaunchRequest &request) {
  Policy policy = currentPolicy();
  if (request.args.size() != source->parameters().size())
    throw InvalidInput("kernel '" + source->name() + "' takes " +
                       std::to_string(source->parameters().size()) + " arguments; " +
                       std::to_string(request.args.size()) + " were given");
  if (request.grid.programs() <= 0)
    return;
  if (SanitizeOptions sanitize = sanitizing(); sanitize.active())
    launchSanitized(request, sanitize);
  else if (recording::active())
    recording::add(interpreter().launchRecorded(request));
  else if (std::shared_ptr<Executable> executable = compiledFor(policy))
    launchCompiled(*executable, request, policy);
  else
    launchInterpreted(request);
}

void TieredKernel::launchInterpreted(const LaunchRequest &request) {
  InterpExecutable &executable = interpreter();
  auto started = std::chrono::steady_clock::now();
  executable.launch(request);
  int64_t took = nanosecondsSince(started);
  std::lock_guard guard(lock);
  ++interpreted;
  interpretedNanoseconds += took;
  lastTier = "interp";
}

void TieredKernel::launchSanitized(const LaunchRequest &request, const SanitizeOptions &sanitize) {
  interpreter().launchSanitized(request, sanitize);
  std::lock_guard guard(lock);
  lastTier = "interp";
}

void TieredKernel::launchCompiled(Executable &executable, const LaunchRequest &request,
                                  const Policy &policy) {
  int64_t number;
  bool trusted;
  {
    std::lock_guard guard(lock);
    number = compiledLaunches++;
    trusted = state == State::Trusted;
    lastTier = compiledTier;
  }
  if (!policy.checks(number, trusted)) {
    executable.launch(request);
    return;
  }
  std::vector<int64_t> programs = samplePrograms(request.grid, randomPrograms, static_cast<uint64_t>(number));
  std::optional<CrossCheck> check;
  try {
    check.emplace(*source, interpreter(), request, programs);
  } catch (const Unsupported &error) {
    // Tier 0 cannot decode it; only a tier that the user demands comes here.
    executable.launch(request);
    Verdict verdict;
    verdict.reason = std::string("tier 0 cannot run it: ") + error.what();
    return judge(verdict, policy);
  }
  executable.launch(request);
  Verdict verdict = check->compare();
  check.reset();
  judge(verdict, policy);
  // The caller must not keep a wrong answer; tier 0 can give the right one unless its inputs are gone.
  if (verdict.kind == VerdictKind::Different && source->traits().repeatable())
    launchInterpreted(request);
}

void TieredKernel::judge(const Verdict &verdict, const Policy &policy) {
  std::lock_guard guard(lock);
  bool demanded = !policy.promotes();
  std::string compared = std::to_string(verdict.programs) +
                         (verdict.programs == 1 ? " program, " : " programs, ") +
                         std::to_string(verdict.bytes) + " bytes compared";
  Event event{Event::Kind::Checked, compiledTier, "", verdict, 0};
  switch (verdict.kind) {
  case VerdictKind::Equal:
    event.kind = state == State::Trusted ? Event::Kind::Checked : Event::Kind::Promoted;
    event.text = (state == State::Trusted ? "checked " : "promoted ") + source->name() +
                 (state == State::Trusted ? " on " : " to ") + compiledTier + ": equal, " + compared;
    state = State::Trusted;
    break;
  case VerdictKind::Inconclusive:
    event.text = (demanded ? "checked " : "kept ") + source->name() + (demanded ? " on " : " off ") +
                 compiledTier + ": inconclusive, " + verdict.reason;
    if (verdict.first)
      event.text += "; first " + verdict.first->describe(compiledTier);
    if (demanded) {
      state = State::Trusted;
    } else {
      event.kind = Event::Kind::Kept;
      state = State::Refused;
      compiled = nullptr;
    }
    break;
  case VerdictKind::Different:
    event.kind = Event::Kind::Withdrawn;
    event.text =
        "withdrew " + source->name() + " from " + compiledTier + ": different at " +
        verdict.first->describe(compiledTier) + "; " + std::to_string(verdict.differing) +
        " elements differ, " + compared +
        (source->traits().repeatable() ? "; tier 0 has repeated the launch"
                                       : "; this launch's results are wrong and its inputs are gone");
    state = State::Refused;
    compiled = nullptr;
    refusal.clear();
    std::fprintf(stderr, "trisect: %s\n", event.text.c_str());
    break;
  }
  log.push_back(std::move(event));
}

} // namespace trisect::jit
