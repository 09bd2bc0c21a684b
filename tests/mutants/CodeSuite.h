//===- CodeSuite.h - mistakes of threads over run-test files --------------------------------------------===//
//
// What: leaves out each barrier, predicate, wait and conversion of the code that run-test files are compiled
// to for the emulated machine, one at a time, or a part of them, and runs the tests.
// Limits: 4 warps a program; a predicate that is true in every thread of a run does nothing there to be
// found.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_MUTANTS_CODESUITE_H
#define TRISECT_TESTS_MUTANTS_CODESUITE_H

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace trisect::mutants {

struct CodeCount {
  int made = 0;
  int found = 0;
  int idle = 0; ///< no thread came there; of accesses, predicates that were true, of barriers, false in all
};

struct CodeSuite {
  int runs = 0;
  std::vector<std::string> wrong; ///< runs that fail without a mistake
  std::map<std::string, CodeCount> kinds;
  std::vector<std::string> missed;
  CodeCount total() const;
};

/// `chosen` tells of each mistake, by its number, whether it is made. Each is looked for in the order of the
/// threads and in `seeds` drawn ones. `progress`: a line on standard error for each file.
CodeSuite runCodeSuite(const std::vector<std::string> &files, const std::function<bool(uint64_t)> &chosen,
                       unsigned seeds, bool progress = false);

} // namespace trisect::mutants

#endif // TRISECT_TESTS_MUTANTS_CODESUITE_H
