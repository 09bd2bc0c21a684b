//===- SanitizeTest.cpp - settings of sanitizers --------------------------------------------------------===//
#include "core/support/Sanitize.h"
#include "core/support/Options.h"
#include <gtest/gtest.h>

namespace trisect {
namespace {

TEST(SanitizeTest, ReadsGroupsAndKinds) {
  EXPECT_FALSE(SanitizeOptions::parse("off").active());
  SanitizeOptions on = SanitizeOptions::parse("on");
  EXPECT_TRUE(on.has(FaultKind::Race));
  EXPECT_FALSE(on.has(FaultKind::RedundantStore));
  SanitizeOptions all = SanitizeOptions::parse("all", 5);
  EXPECT_TRUE(all.has(FaultKind::RedundantStore));
  EXPECT_FALSE(all.has(FaultKind::NanOrigin));
  EXPECT_EQ(all.collect, 5);
  SanitizeOptions two = SanitizeOptions::parse("race,nan-origin");
  EXPECT_TRUE(two.has(FaultKind::NanOrigin));
  EXPECT_FALSE(two.has(FaultKind::OutOfBounds));
  EXPECT_FALSE(SanitizeOptions::parse("assert,deadlock").active());
  EXPECT_THROW(SanitizeOptions::parse("bounds"), InvalidInput);
}

TEST(SanitizeTest, ACallGoesBeforeTheOption) {
  setOption(OptionId::Sanitize, "race");
  EXPECT_TRUE(currentSanitize().has(FaultKind::Race));
  setSanitize(SanitizeOptions::parse("off"));
  EXPECT_FALSE(currentSanitize().active());
  setSanitize(std::nullopt);
  EXPECT_TRUE(currentSanitize().active());
  setOption(OptionId::Sanitize, std::nullopt);
}

TEST(SanitizeTest, TakingTheLogEmptiesIt) {
  Finding finding;
  finding.headline = "first";
  logFindings({finding});
  finding.headline = "second";
  logFindings({finding});
  auto taken = takeFindings();
  ASSERT_EQ(taken.size(), 2u);
  EXPECT_EQ(taken[1].headline, "second");
  EXPECT_TRUE(takeFindings().empty());
}

} // namespace
} // namespace trisect
