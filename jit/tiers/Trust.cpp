//===- Trust.cpp - from verdicts to steps ---------------------------------------------------------------===//
#include "jit/tiers/Trust.h"
#include <algorithm>
#include <mutex>
#include <utility>

namespace trisect::jit {

Trust::Trust(std::span<const KernelParameter> parameters) {
  envelope = envelopes.emplace_back(std::make_unique<const Envelope>(parameters)).get();
}

bool Trust::spotIsDue() const {
  int64_t cost = costOfProgram.load(std::memory_order_relaxed);
  return cost &&
         (spent.load(std::memory_order_relaxed) + cost) * spotShare <= ranFor.load(std::memory_order_relaxed);
}

Trust::Step Trust::stepFor(const LaunchRequest &request, const Policy &policy) const {
  Level known = level();
  if (known == Level::Withdrawn || (known == Level::Undecided && policy.promotes()))
    return Step::Refuse;
  if (policy.check == Policy::Check::Off)
    return Step::Run;
  if (policy.checks(launches.load(std::memory_order_relaxed)))
    return Step::Compare;
  if (known == Level::Undecided)
    return Step::Run;
  if (known == Level::Untested || !envelope.load(std::memory_order_acquire)->contains(request))
    return listens() ? Step::Compare : policy.promotes() ? Step::Refuse : Step::Run;
  return spotIsDue() ? Step::Spot : Step::Run;
}

bool Trust::listens() const {
  if (silent.load(std::memory_order_relaxed) < mostSilent ||
      passedOver.load(std::memory_order_relaxed) >= mostSilent)
    return true;
  passedOver.fetch_add(1, std::memory_order_relaxed);
  return false;
}

PathSet Trust::untried(size_t paths) const {
  if (!paths || level() != Level::Trusted)
    return {};
  PathSet all = ~PathSet() >> (mostPaths - std::min(paths, mostPaths));
  PathSet open = all & ~tried.get();
  if (open.any() && quietLaunches.load(std::memory_order_relaxed) >= mostSilent && !spotIsDue())
    open &= ~quiet.get();
  return open;
}

void Trust::sawNothingOn(const PathSet &paths, int64_t nanoseconds) {
  quiet.add(paths);
  quietLaunches.fetch_add(1, std::memory_order_relaxed);
  spentOnNothing(nanoseconds);
}

Trust::Level Trust::learn(const Verdict &verdict, const LaunchRequest &request, const PathSet &paths,
                          int64_t nanoseconds, bool whole) {
  std::lock_guard guard(lock);
  Level before = now;
  spent.fetch_add(nanoseconds, std::memory_order_relaxed);
  if (verdict.programs)
    costOfProgram.store(std::max<int64_t>(1, whole ? nanoseconds : nanoseconds / verdict.programs),
                        std::memory_order_relaxed);
  if (before == Level::Withdrawn)
    return before;
  switch (verdict.kind) {
  case VerdictKind::Equal:
  case VerdictKind::Within:
    if (!envelope.load()->contains(request)) {
      auto wider = std::make_unique<Envelope>(*envelope.load());
      wider->widen(request);
      envelope = envelopes.emplace_back(std::move(wider)).get();
      hasNews = true;
    }
    hasNews |= tried.add(paths);
    silent.store(0, std::memory_order_relaxed);
    now = Level::Trusted;
    break;
  case VerdictKind::Different:
    now = Level::Withdrawn;
    hasNews = true;
    break;
  case VerdictKind::Inconclusive:
    if (!verdict.transient)
      now = Level::Undecided;
    else if (!verdict.blind) {
      silent.fetch_add(1, std::memory_order_relaxed);
      passedOver.store(0, std::memory_order_relaxed);
    }
    break;
  }
  return before;
}

void Trust::recall(std::span<const TrustRecord> records) {
  std::lock_guard guard(lock);
  auto wider = std::make_unique<Envelope>(*envelope.load());
  for (const TrustRecord &record : records) {
    if (record.withdrawn)
      now = Level::Withdrawn;
    else if (now != Level::Withdrawn)
      now = Level::Trusted;
    wider->widen(record.hull);
    PathSet paths;
    for (uint32_t path : record.paths)
      if (path < mostPaths)
        paths.set(path);
    tried.add(paths);
  }
  envelope = envelopes.emplace_back(std::move(wider)).get();
}

std::optional<TrustRecord> Trust::news() {
  std::lock_guard guard(lock);
  if (!std::exchange(hasNews, false))
    return std::nullopt;
  TrustRecord record;
  record.withdrawn = now == Level::Withdrawn;
  record.hull = envelope.load()->ranges();
  PathSet paths = tried.get();
  for (size_t path = 0; path < mostPaths; ++path)
    if (paths[path])
      record.paths.push_back(static_cast<uint32_t>(path));
  return record;
}

} // namespace trisect::jit
