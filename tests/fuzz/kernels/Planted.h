//===- Planted.h - whether the fuzzer finds mistakes ----------------------------------------------------===//
//
// What: makes the CPU target mistaken in one way and runs kernels until one shows it. Why: a fuzzer that
// finds nothing may be one that can find nothing.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_FUZZ_KERNELS_PLANTED_H
#define TRISECT_TESTS_FUZZ_KERNELS_PLANTED_H

#include "tests/fuzz/kernels/Judge.h"
#include <optional>

namespace trisect::fuzz {

struct Hunt {
  uint64_t kernels = 0; ///< that were run
  uint64_t planted = 0; ///< of those, in which the mistake was made
  bool found = false;
};

/// A mistake of tests/mutants in kernels from the seed `first` on, at most `most`.
Hunt hunt(Target &cpu, const std::string &kind, uint64_t first, uint64_t most);

} // namespace trisect::fuzz

#endif // TRISECT_TESTS_FUZZ_KERNELS_PLANTED_H
