//===- CachesTest.cpp - what a launch may count on of the last cache ------------------------------------===//
#include "backends/cpu/launch/Caches.h"
#include <gtest/gtest.h>

namespace trisect::cpu {
namespace {

constexpr int64_t mebi = 1 << 20;

TEST(CachesTest, ACacheOfAFewProcessorsIsTheirs) {
  EXPECT_EQ(cacheShare(32 << 10, 2), 32 * mebi);
  EXPECT_EQ(cacheShare(96 << 10, 8), 96 * mebi);
}

TEST(CachesTest, GuestsDoNotHaveWhatTheMachineHas) { EXPECT_EQ(cacheShare(480 << 10, 2), 32 * mebi); }

TEST(CachesTest, SmallAndUntoldOnesAreGuessed) {
  EXPECT_EQ(cacheShare(4 << 10, 4), 8 * mebi);
  EXPECT_EQ(cacheShare(0, 4), 32 * mebi);
  EXPECT_EQ(cacheShare(-1, 64), 32 * mebi);
  EXPECT_EQ(cacheShare(32 << 10, 0), 8 * mebi);
}

} // namespace
} // namespace trisect::cpu
