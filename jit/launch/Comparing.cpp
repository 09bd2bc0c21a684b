//===- Comparing.cpp - what of a launch is compared, and what follows -----------------------------------===//
//
// What: the half of TieredKernel that compares: a sample before a launch, programs that take a path which was
// never compared, and what the verdict means for trust, events and later processes.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/target/Guards.h"
#include "core/support/Outcome.h"
#include "jit/bundle/Store.h"
#include "jit/check/Alone.h"
#include "jit/check/Sample.h"
#include "jit/launch/Accuse.h"
#include "jit/launch/TieredKernel.h"
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <set>

namespace trisect::jit {

namespace {
/// Programs compared besides the corners of the grid.
constexpr unsigned randomPrograms = 2;
/// Further ones, one after the other, where those wrote nothing: most programs of some grids return at once.
constexpr int mostFurther = 64;
/// After so long a comparison begins no further program.
constexpr std::chrono::milliseconds comparisonTime{100};

/// Whether a launch waits for the comparison that another one makes. One that is made within a comparison, by
/// a handler of a signal, would wait for itself.
bool mustWait(const Variant &variant, const Policy &policy) {
  return (!policy.promotes() || policy.foreground) && !variant.checking.isMine();
}

using Clock = std::chrono::steady_clock;
int64_t nanosecondsSince(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
}
} // namespace

// True if the compiled form may run the launch.
bool TieredKernel::compare(const Choice &choice, const LaunchRequest &request, const Policy &policy,
                           Trust::Step step) {
  Variant &variant = *choice.variant;
  std::unique_lock alone(variant.checking, std::defer_lock);
  // Nobody waits who need not: tier 0 is there.
  bool spot = step == Trust::Step::Spot;
  if (!spot && mustWait(variant, policy))
    alone.lock();
  else if (!alone.try_lock())
    return spot;
  step = variant.trust.stepFor(request, policy); // another thread may have compared meanwhile
  if (step == Trust::Step::Run || step == Trust::Step::Refuse)
    return step == Trust::Step::Run;
  Compared found = compareOn(choice, request, sampleFor(choice, request, step));
  lookFurther(choice, request, found);
  // Of a grid that is larger than what it works on: trusted code is not left for tier 0, nor is there news.
  if (step == Trust::Step::Spot && found.verdict.silent) {
    variant.trust.spentOnNothing(found.nanoseconds);
    return true;
  }
  // Where tier 0 cannot run at all, a tier that is demanded goes unproven.
  bool unproven = found.verdict.noReference && !policy.promotes();
  return conclude(choice, request, policy, std::move(found)) || unproven;
}

// Learns from a comparison; true if the compiled form may run. `ran`: it has run the launch already.
bool TieredKernel::conclude(const Choice &choice, const LaunchRequest &request, const Policy &policy,
                            Compared &&found, Ran ran) {
  Variant &variant = *choice.variant;
  const Verdict &verdict = found.verdict;
  bool whole = !choice.code->artifact->waits.empty();
  Trust::Level before = variant.trust.learn(verdict, request, found.paths, found.nanoseconds, whole);
  {
    std::lock_guard guard(tallyLock);
    compared.add(verdict, found.nanoseconds);
  }
  Event event = eventOf(variant, verdict, before, policy, ran);
  if (event.kind == Event::Kind::Withdrawn) {
    if (found.evidence)
      event.text += accuse(source, choice, request, std::move(*found.evidence), event.text);
    std::fprintf(stderr, "trisect: %s\n", event.text.c_str());
  }
  missedTensors.store(verdict.blind, std::memory_order_relaxed);
  variant.log.add(std::move(event));
  variant.remember(verdict.describe(variant.tierName()));
  return verdict.good();
}

std::vector<ProgramRange> TieredKernel::sampleFor(const Choice &choice, const LaunchRequest &request,
                                                  Trust::Step step) {
  auto seed = static_cast<uint64_t>(comparisons.fetch_add(1, std::memory_order_relaxed));
  // Programs that wait for one another are compared as a whole launch.
  if (!choice.code->artifact->waits.empty())
    return {{0, request.grid.programs()}};
  if (step == Trust::Step::Spot)
    return {randomProgram(request.grid, seed)};
  return samplePrograms(request.grid, randomPrograms, seed);
}

void TieredKernel::lookFurther(const Choice &choice, const LaunchRequest &request, Compared &found) {
  if (found.verdict.programs >= request.grid.programs())
    return;
  for (int n = 0; n < mostFurther && found.verdict.silent &&
                  std::chrono::nanoseconds(found.nanoseconds) < comparisonTime;
       ++n) {
    auto seed = static_cast<uint64_t>(comparisons.fetch_add(1, std::memory_order_relaxed));
    int64_t before = found.nanoseconds;
    found = compareOn(choice, request, {randomProgram(request.grid, seed)});
    found.nanoseconds += before;
  }
}

TieredKernel::Compared TieredKernel::compareOn(const Choice &choice, const LaunchRequest &request,
                                               const std::vector<ProgramRange> &sample) {
  Compared found;
  Verdict &verdict = found.verdict;
  auto started = Clock::now();
  try {
    bool together = !choice.code->artifact->waits.empty();
    PathWatch watch(~PathSet(), PathSet());
    PathWatch::Scope watched(&watch);
    verdict =
        compareAlone(*source, interpreter(), {*choice.code->executable, choice.variant->memory(), together},
                     request, sample, comparisonTime, keepsBundles() ? &found.evidence : nullptr);
    for (const PathWatch::Taken &taken : watch.taken())
      found.paths.set(taken.path);
  } catch (const Unsupported &error) {
    verdict.noReference = true;
    verdict.reason = std::string("tier 0 cannot run it: ") + error.what();
  } catch (const Error &error) {
    verdict.transient = true;
    verdict.reason = std::string("the comparison failed: ") + error.what();
  }
  found.nanoseconds = nanosecondsSince(started);
  return found;
}

// A launch of which some paths were never compared. It stops before the first program takes such a path,
// which is compared; then it begins again, or, in place, goes on with the programs that have not run; what
// the program had written is put back. Where it may have done what cannot be, a launch goes on, and is
// compared after. False if tier 0 is to run the launch.
bool TieredKernel::launchWatched(const Choice &choice, const LaunchRequest &request, const Policy &policy,
                                 PathSet untried) {
  bool repeats = source->traits().repeatable && sharesNoMemory(*choice.code->artifact, request);
  PathSet stops = repeats ? ~PathSet() : earlyPaths(*choice.code->artifact);
  Watched watched{{untried, stops, /*putsBack=*/!repeats}, repeats, {}};
  { // as launchOpen() does, but without memory: mostly nothing comes of it
    PathWatch::Scope scope(&watched.watch);
    choice.code->executable->launch(request);
  }
  if (!watched.watch.anyCame())
    return true;
  watched.open = watched.watch.takeLeft();
  return followPaths(choice, request, policy, watched);
}

// After a launch of which programs came to paths.
bool TieredKernel::followPaths(const Choice &choice, const LaunchRequest &request, const Policy &policy,
                               Watched &watched) {
  Variant &variant = *choice.variant;
  size_t paths = choice.code->artifact->paths.size();
  bool good = true, stopped = watched.watch.stopped();
  for (auto taken = watched.watch.taken(); !taken.empty(); taken = watched.watch.taken()) {
    {
      std::unique_lock alone(variant.checking, std::defer_lock);
      // Nobody waits who need not: tier 0 is there, or the launch has run.
      if (stopped && mustWait(variant, policy))
        alone.lock();
      good = (alone.owns_lock() || alone.try_lock()) && comparePaths(choice, request, policy, taken, watched);
    }
    if (good && stopped && watched.repeats)
      watched.open = {request.programs()};
    watched.watch.renew(variant.trust.untried(paths) & ~watched.passed);
    if (!good || !stopped)
      break;
    launchOpen(choice, request, watched);
    stopped = watched.watch.stopped();
  }
  if (watched.quiet.any())
    variant.trust.sawNothingOn(watched.quiet, watched.nanoseconds);
  if (good || !stopped)
    return true;
  if (watched.repeats)
    return false;
  for (ProgramRange programs : watched.open) {
    LaunchRequest rest = request;
    rest.part = programs;
    interpreter().launch(rest);
  }
  return true;
}

// Runs what is open until the launch stops.
void TieredKernel::launchOpen(const Choice &choice, const LaunchRequest &request, Watched &watched) {
  PathWatch::Scope scope(&watched.watch);
  std::vector<ProgramRange> open;
  for (ProgramRange programs : watched.open) {
    if (watched.watch.stopped()) {
      open.push_back(programs);
      continue;
    }
    LaunchRequest part = request;
    part.part = programs;
    choice.code->executable->launch(part);
    std::ranges::copy(watched.watch.takeLeft(), std::back_inserter(open));
  }
  watched.open = std::move(open);
}

// Compares the programs that took paths.
bool TieredKernel::comparePaths(const Choice &choice, const LaunchRequest &request, const Policy &policy,
                                const std::vector<PathWatch::Taken> &taken, Watched &watched) {
  std::set<int64_t> done;
  for (const PathWatch::Taken &each : taken) {
    if (!done.insert(each.program).second)
      continue;
    Compared found = compareOn(choice, request, {{each.program, 1}});
    // A program whose lanes are all off says little of its path: another one is waited for.
    if (found.verdict.silent) {
      watched.quiet.set(each.path);
      watched.nanoseconds += found.nanoseconds;
      if (!watched.watch.excuse(each.program))
        watched.passed.set(each.path);
      continue;
    }
    found.paths.set(each.path);
    Ran ran = watched.repeats ? Ran::Nothing : watched.watch.wentOn(each.path) ? Ran::All : Ran::Part;
    if (!conclude(choice, request, policy, std::move(found), ran))
      return false;
  }
  return true;
}

bool TieredKernel::sharesNoMemory(const Artifact &chosen, const LaunchRequest &request) const {
  return std::ranges::find(chosen.guards, apart) != chosen.guards.end() || holds(apart, request);
}

Event TieredKernel::eventOf(const Variant &variant, const Verdict &verdict, Trust::Level before,
                            const Policy &policy, Ran ran) const {
  const std::string &tier = variant.tierName();
  Event event{Event::Kind::Checked, tier, "", verdict};
  constexpr std::array ends = {"; tier 0 has run the launch", "; tier 0 has run what was left of the launch",
                               "; the launch had run on it"};
  const char *end = ends[static_cast<size_t>(ran)];
  auto say = [&](std::string_view begin, std::string_view preposition) {
    event.text = std::string(begin) + " " + source->name() + " " + std::string(preposition) + " " + tier +
                 ": " + verdict.describe(tier);
  };
  switch (verdict.kind) {
  case VerdictKind::Equal:
  case VerdictKind::Within:
    if (before == Trust::Level::Trusted)
      return say("checked", "on"), event;
    event.kind = Event::Kind::Promoted;
    say("promoted", "to");
    break;
  case VerdictKind::Inconclusive:
    if (policy.promotes())
      event.kind = Event::Kind::Kept;
    say(policy.promotes() ? "kept" : "checked", policy.promotes() ? "off" : "on");
    if (!verdict.noReference)
      event.text += end;
    break;
  case VerdictKind::Different:
    event.kind = Event::Kind::Withdrawn;
    say("withdrew", "from");
    event.text += end;
    break;
  }
  return event;
}

} // namespace trisect::jit
