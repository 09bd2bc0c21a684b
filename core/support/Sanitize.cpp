//===- Sanitize.cpp - settings and log of the process ---------------------------------------------------===//
#include "core/support/Sanitize.h"
#include "core/support/ForkGate.h"
#include "core/support/Options.h"
#include "core/support/PerThread.h"
#include <atomic>
#include <iterator>
#include <mutex>
#include <utility>

namespace trisect {

namespace {

constexpr FaultKind byDefault[] = {
    FaultKind::OutOfBounds,   FaultKind::UninitializedRead, FaultKind::UndefinedValue, FaultKind::Race,
    FaultKind::StoreConflict, FaultKind::IntegerOverflow,   FaultKind::BrokenHint,     FaultKind::Misaligned,
    FaultKind::Assert,        FaultKind::Deadlock,
};

struct State {
  ForkMutex lock;
  std::atomic<bool> set{false};
  std::optional<SanitizeOptions> settings;
  std::vector<Finding> log;
};

State &state() {
  static auto *only = new State; // never destroyed: threads of the host launch while the process exits
  return *only;
}

} // namespace

SanitizeOptions SanitizeOptions::parse(std::string_view text, int collect) {
  SanitizeOptions options;
  options.collect = collect;
  if (text.empty() || text == "off")
    return options;
  checkOption(OptionId::Sanitize, text);
  bool all = text == "all";
  if (all || text == "on") {
    for (FaultKind kind : byDefault)
      options.add(kind);
    if (all)
      options.add(FaultKind::RedundantStore);
    return options;
  }
  while (!text.empty()) {
    size_t comma = text.find(',');
    std::string_view word = text.substr(0, comma);
    while (!word.empty() && word.front() == ' ')
      word.remove_prefix(1);
    while (!word.empty() && word.back() == ' ')
      word.remove_suffix(1);
    if (auto kind = faultKindFromName(word))
      options.add(*kind);
    text = comma == std::string_view::npos ? "" : text.substr(comma + 1);
  }
  return options;
}

SanitizeOptions currentSanitize() { return currentSanitize(optionEpoch()); }

SanitizeOptions currentSanitize(uint64_t now) {
  if (state().set.load(std::memory_order_acquire)) {
    std::lock_guard guard(state().lock);
    if (state().settings)
      return *state().settings;
  }
  // Every launch asks.
  struct Known {
    uint64_t epoch = 0;
    SanitizeOptions options;
  };
  static constinit PerThread<Known> known;
  auto &[epoch, options] = known.get();
  if (now != epoch) {
    options = SanitizeOptions::parse(optionText(OptionId::Sanitize));
    epoch = now; // not before: a bad text is told at every launch
  }
  return options;
}

void setSanitize(std::optional<SanitizeOptions> options) {
  std::lock_guard guard(state().lock);
  state().settings = options;
  state().set.store(options.has_value(), std::memory_order_release);
  noteOverride();
}

void logFindings(std::vector<Finding> findings) {
  std::lock_guard guard(state().lock);
  state().log.insert(state().log.end(), std::make_move_iterator(findings.begin()),
                     std::make_move_iterator(findings.end()));
}

std::vector<Finding> takeFindings() {
  std::lock_guard guard(state().lock);
  return std::exchange(state().log, {});
}

} // namespace trisect
