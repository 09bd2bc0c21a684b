//===- Ladder.cpp - the variant for a launch ------------------------------------------------------------===//
#include "jit/tiers/Ladder.h"
#include "backends/target/Guards.h"
#include "core/support/Outcome.h"
#include <algorithm>
#include <mutex>

namespace trisect::jit {

Choice Ladder::choose(const Tier &tier, const LaunchRequest &request, bool wait) {
  for (Form form : {Form::Disjoint, Form::Any}) {
    Variant &each = variant(tier, form);
    const Variant::Code *code = wait ? &each.require() : each.poll();
    if (!code)
      return {};
    if (holds(*code->artifact, request))
      return {&each, code};
  }
  throw EngineError(std::string(tier.target->name()) + " made no form of " + kernel->name() +
                    " that takes any launch");
}

Variant *Ladder::find(const Tier &tier, Form form) const {
  for (const std::atomic<Variant *> &slot : known) {
    Variant *each = slot.load(std::memory_order_acquire);
    if (!each || (each->rung() == tier && each->form() == form))
      return each;
  }
  return nullptr;
}

Variant &Ladder::variant(const Tier &tier, Form form) {
  if (Variant *present = find(tier, form))
    return *present;
  std::lock_guard guard(lock);
  if (Variant *present = find(tier, form))
    return *present;
  if (variants.size() == known.size())
    throw Unsupported("kernel " + kernel->name() + " was launched on too many devices");
  Variant &made = *variants.emplace_back(std::make_shared<Variant>(kernel, cache, tier, form));
  known[variants.size() - 1].store(&made, std::memory_order_release);
  return made;
}

int64_t Ladder::launches() const {
  int64_t sum = 0;
  std::lock_guard guard(lock);
  for (const std::shared_ptr<Variant> &each : variants)
    sum += each->trust.launchCount();
  return sum;
}

std::vector<Event> Ladder::events() const {
  std::vector<Event> all;
  std::lock_guard guard(lock);
  for (const std::shared_ptr<Variant> &each : variants)
    for (Event &event : each->log.events())
      all.push_back(std::move(event));
  std::sort(all.begin(), all.end(), [](const Event &a, const Event &b) { return a.number < b.number; });
  return all;
}

} // namespace trisect::jit
