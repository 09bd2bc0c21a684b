//===- Session.cpp - generate, run, count ---------------------------------------------------------------===//
#include "tests/fuzz/kernels/Session.h"
#include "tests/fuzz/kernels/Generator.h"
#include "tests/fuzz/kernels/Shrink.h"

namespace trisect::fuzz {

Case kernelOf(uint64_t seed) {
  Choices choices(seed);
  return Generator(choices).make();
}

Session::Session(Target &cpu, uint32_t emulated) : judge(cpu), machines(archs(cpu)), emulated(emulated) {}

Partner Session::partnerOf(uint64_t seed) const {
  Choices choices(seed ^ 0x7472697365637400u);
  Partner partner;
  partner.emulator = choices.chance(emulated);
  partner.disjoint = choices.chance(70);
  partner.arch = choices.chance(60) ? "host" : choices.pick(machines);
  partner.warps = choices.pick({4u, 1u, 2u, 8u});
  partner.order = choices.below(5);
  return partner;
}

Judgement Session::run(uint64_t seed) {
  Judgement judgement = judge.judge(kernelOf(seed), partnerOf(seed));
  ++found[static_cast<size_t>(judgement.ruling)];
  return judgement;
}

Case Session::shrunk(uint64_t seed, std::chrono::seconds time) {
  Partner partner = partnerOf(seed);
  auto made = [](const std::vector<uint32_t> &list) {
    Choices choices(list);
    return Generator(choices).make();
  };
  Choices choices(seed);
  Ruling ruling = judge.judge(Generator(choices).make(), partner).ruling;
  return made(shrink(
      choices.taken(),
      [&](const std::vector<uint32_t> &list) { return judge.judge(made(list), partner).ruling == ruling; },
      time));
}

Judgement Session::runAll(const Case &kernel) {
  std::vector<Partner> partners;
  for (const std::string &machine : machines)
    for (bool disjoint : {true, false})
      partners.push_back({.arch = machine, .disjoint = disjoint});
  for (unsigned warps : {4u, 1u, 8u})
    if (emulated)
      partners.push_back({.emulator = true, .warps = warps, .order = warps});
  Judgement last;
  for (const Partner &partner : partners) {
    last = judge.judge(kernel, partner);
    if (isFailure(last.ruling))
      return {last.ruling, partner.describe() + ": " + last.text};
  }
  return last;
}

} // namespace trisect::fuzz
