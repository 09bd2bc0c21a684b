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
    return Step::Compare;
  return spotIsDue() ? Step::Spot : Step::Run;
}

Trust::Level Trust::learn(const Verdict &verdict, const LaunchRequest &request, int64_t nanoseconds,
                          bool whole) {
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
    now = Level::Trusted;
    break;
  case VerdictKind::Different:
    now = Level::Withdrawn;
    hasNews = true;
    break;
  case VerdictKind::Inconclusive:
    if (!verdict.transient || ++silent >= mostSilent)
      now = Level::Undecided;
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
  return record;
}

} // namespace trisect::jit
