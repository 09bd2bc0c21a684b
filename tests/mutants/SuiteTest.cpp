//===- SuiteTest.cpp - mistakes in a few kernels --------------------------------------------------------===//
//
// What: a fixed part of what trisect-mutants does for all of tests/ops; the whole is in bench/results.
//
//===----------------------------------------------------------------------------------------------------===//
#include "tests/mutants/Suite.h"
#include "tests/unit/Sanitizers.h"
#include <gtest/gtest.h>

namespace trisect::mutants {
namespace {

TEST(Mutants, AreFoundNamedAndReplayed) {
  TRISECT_NEEDS_WILD_ACCESS;
  std::vector<std::string> files;
  for (const char *name : {FILES})
    files.push_back(std::string(OPS "/") + name);
  auto folder = std::filesystem::temp_directory_path() / ("mutants-test-" + std::to_string(getpid()));
  Suite suite = runSuite(files, [](uint64_t number) { return number % 4 == 0; }, folder);
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(suite.falseAlarms.empty());
  ASSERT_GE(suite.shown.size(), 10U);
  size_t promote = 0, named = 0;
  for (size_t n = 0; n < suite.shown.size(); ++n) {
    const Outcome &outcome = suite.shown[n];
    std::string where =
        suite.names[n] + ", " + outcome.kind + " at " + outcome.place.name + ": " + outcome.said;
    EXPECT_TRUE(outcome.full) << where;
    EXPECT_TRUE(outcome.always) << where;
    EXPECT_EQ(outcome.replayed, outcome.promote) << where;
    promote += outcome.promote;
    named += outcome.sameOp;
  }
  EXPECT_GE(promote * 100, suite.shown.size() * 97);
  EXPECT_GE(named * 100, promote * 95);
}

} // namespace
} // namespace trisect::mutants
