//===- PlantedTest.cpp - mistakes of a compiler are found -----------------------------------------------===//
//
// What: some kinds of mistakes of tests/mutants, each found within a few hundred kernels; the program does so
// with all (`--plant`). And the same kernels with none are equal, or within bounds.
//
//===----------------------------------------------------------------------------------------------------===//
#include "tests/fuzz/kernels/Planted.h"
#include "backends/Targets.h"
#include "backends/target/Target.h"
#include "tests/fuzz/kernels/Session.h"
#include "tests/unit/Sanitizers.h"
#include <gtest/gtest.h>

namespace {

using namespace trisect;

Target &cpu() {
  registerTargets();
  return *TargetRegistry::find("cpu");
}

TEST(PlantedTest, MistakesAreFound) {
  TRISECT_NEEDS_WILD_ACCESS;
  for (const char *kind : {"index-off-by-one", "dropped-store-mask", "select-swapped", "sign-extension",
                           "store-skipped", "swapped-subtraction"}) {
    fuzz::Hunt hunt = fuzz::hunt(cpu(), kind, 0, 600);
    EXPECT_TRUE(hunt.found) << kind << ": not found in " << hunt.planted << " mistaken kernels";
  }
}

TEST(PlantedTest, WithoutMistakesKernelsAgree) {
  fuzz::Session session(cpu());
  for (uint64_t seed = 0; seed < 150; ++seed) {
    fuzz::Judgement judgement = session.run(seed);
    EXPECT_FALSE(fuzz::isFailure(judgement.ruling)) << "seed " << seed << ": " << judgement.text << "\n"
                                                    << fuzz::kernelOf(seed).text();
  }
  EXPECT_GT(session.counts()[static_cast<size_t>(fuzz::Ruling::Equal)], 100u);
}

} // namespace
