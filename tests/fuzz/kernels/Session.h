//===- Session.h - kernels by their seeds ---------------------------------------------------------------===//
//
// What: makes the kernel of a seed, draws who is compared with tier 0, judges, and shrinks what fails. Why:
// the program and the tests run kernels in one way.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_FUZZ_KERNELS_SESSION_H
#define TRISECT_TESTS_FUZZ_KERNELS_SESSION_H

#include "tests/fuzz/kernels/Judge.h"
#include <array>
#include <chrono>
#include <string>
#include <vector>

namespace trisect::fuzz {

/// The kernel of a seed.
Case kernelOf(uint64_t seed);

class Session {
public:
  /// `emulated` of a hundred kernels go to the emulator of tier 2.
  explicit Session(Target &cpu, uint32_t emulated = 0);

  Partner partnerOf(uint64_t seed) const;
  /// Runs the kernel of a seed and counts what was found.
  Judgement run(uint64_t seed);
  /// A small kernel that fails as that of the seed does.
  Case shrunk(uint64_t seed, std::chrono::seconds time);
  /// Runs a kernel with every partner, the emulator too if kernels go there; the first judgement that is a
  /// failure, else the last.
  Judgement runAll(const Case &kernel);

  const std::array<uint64_t, numRulings> &counts() const { return found; }

private:
  Judge judge;
  std::vector<std::string> machines;
  uint32_t emulated;
  std::array<uint64_t, numRulings> found{};
};

} // namespace trisect::fuzz

#endif // TRISECT_TESTS_FUZZ_KERNELS_SESSION_H
