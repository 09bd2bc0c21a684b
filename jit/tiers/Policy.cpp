//===- Policy.cpp - which tier runs a kernel ------------------------------------------------------------===//
#include "jit/tiers/Policy.h"
#include "core/support/Options.h"

namespace trisect::jit {

Policy Policy::fromEnvironment() {
  Policy policy;
  policy.tier = optionChoice(OptionId::Tier).word;
  if (optionFlag(OptionId::Interpret))
    policy.tier = "interp";
  ChoiceValue check = optionChoice(OptionId::Check);
  if (check.word == "off")
    policy.check = Check::Off;
  else if (check.word == "always")
    policy.check = Check::Always;
  else if (check.word == "sample")
    policy.check = Check::Sample, policy.sampleEvery = check.number;
  return policy;
}

bool Policy::checks(int64_t number, bool trusted) const {
  switch (check) {
  case Check::Off:
    return false;
  case Check::Promote:
    return !trusted;
  case Check::Sample:
    return !trusted || (sampleEvery > 0 && number % sampleEvery == 0);
  case Check::Always:
    return true;
  }
  return true;
}

} // namespace trisect::jit
