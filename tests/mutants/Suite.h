//===- Suite.h - mistakes over run-test files -----------------------------------------------------------===//
//
// What: tries each kind of mistake at each place of the kernels of files, or a part of them.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_MUTANTS_SUITE_H
#define TRISECT_TESTS_MUTANTS_SUITE_H

#include "tests/mutants/Trial.h"
#include <cstdint>
#include <functional>

namespace trisect::mutants {

struct Suite {
  int parts = 0;
  std::vector<std::string> skipped;     ///< parts that tell nothing, with the reason
  std::vector<std::string> falseAlarms; ///< right code that was found different
  int made = 0, silent = 0;             ///< mistakes, and those that change nothing or what is open
  std::vector<Outcome> shown;
  std::vector<std::string> names; ///< the file of each
};

/// `chosen` tells of each mistake, by its number, whether it is made. Bundles are written below `bundles`,
/// and removed again unless they are kept. A part of which no mistake is chosen counts only where its name is
/// chosen. `progress`: a line on standard error for each part.
Suite runSuite(const std::vector<std::string> &files, const std::function<bool(uint64_t)> &chosen,
               const std::filesystem::path &bundles, bool keep = false, bool progress = false);

} // namespace trisect::mutants

#endif // TRISECT_TESTS_MUTANTS_SUITE_H
