//===- Policy.cpp - which tier runs a kernel ------------------------------------------------------------===//
#include "jit/tiers/Policy.h"
#include "core/support/Options.h"
#include "core/support/PerThread.h"

namespace trisect::jit {

static Policy read() {
  checkEnvironment(); // a value that counts later, or in another thread, is told here, too
  Policy policy;
  // As the table of options has it, which lasts.
  std::string_view words = info(OptionId::Tier).values;
  std::string word = optionChoice(OptionId::Tier).word;
  policy.tier = words.substr(words.find(word), word.size());
  if (optionFlag(OptionId::Interpret))
    policy.tier = "interp";
  ChoiceValue check = optionChoice(OptionId::Check);
  if (check.word == "off")
    policy.check = Policy::Check::Off;
  else if (check.word == "always")
    policy.check = Policy::Check::Always;
  else if (check.word == "sample")
    policy.check = Policy::Check::Sample, policy.sampleEvery = check.number;
  return policy;
}

Policy Policy::fromEnvironment(uint64_t now) {
  // Every launch asks.
  struct Known {
    uint64_t epoch = 0;
    Policy policy;
  };
  static constinit PerThread<Known> known;
  auto &[epoch, policy] = known.get();
  if (now != epoch) {
    policy = read();
    epoch = now; // not before: a bad text is told at every launch
  }
  return policy;
}

bool Policy::checks(int64_t number) const {
  return check == Check::Always || (check == Check::Sample && sampleEvery > 0 && number % sampleEvery == 0);
}

thread_local int Foreground::depth = 0;

} // namespace trisect::jit
