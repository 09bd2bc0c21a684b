//===- CodeSuiteTest.cpp - mistakes of threads in a few kernels -----------------------------------------===//
//
// What: a fixed part of what trisect-mutants --emulator does for all of tests/ops; the whole is in
// bench/results.
//
//===----------------------------------------------------------------------------------------------------===//
#include "tests/mutants/CodeSuite.h"
#include "tests/unit/Sanitizers.h"
#include <gtest/gtest.h>

namespace trisect::mutants {
namespace {

TEST(Mutants, OfThreadsAreFoundInTheEmulator) {
  TRISECT_NEEDS_FIBERS;
  std::vector<std::string> files;
  for (const char *name : {CODE_FILES})
    files.push_back(std::string(OPS "/") + name);
  CodeSuite suite = runCodeSuite(files, [](uint64_t number) { return number % 2 == 0; }, /*seeds=*/2);
  EXPECT_TRUE(suite.wrong.empty()) << suite.wrong[0];
  for (const std::string &each : suite.missed)
    ADD_FAILURE() << each;
  for (const char *kind :
       {"barrier", "barrier-of-overlap", "conversion", "store-predicate", "shared-predicate"})
    EXPECT_GE(suite.kinds[kind].found, 1) << kind;
  EXPECT_GE(suite.total().found, 30);
}

} // namespace
} // namespace trisect::mutants
