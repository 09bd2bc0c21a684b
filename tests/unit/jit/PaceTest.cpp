//===- PaceTest.cpp - which form is slower --------------------------------------------------------------===//
//
// What: times are told, not measured.
//
//===----------------------------------------------------------------------------------------------------===//
#include "jit/tiers/Pace.h"
#include <gtest/gtest.h>

using namespace trisect;
using namespace trisect::jit;

namespace {

Pace::Best after(int launches, uint64_t work, int64_t nanoseconds) {
  Pace pace;
  for (int n = 0; n < launches; ++n)
    pace.ran(work, nanoseconds);
  return pace.best();
}

TEST(Pace, AFormIsJudgedBySeveralLaunchesOfTheSameWork) {
  Pace::Best tier0 = after(2, 1, 1000);
  EXPECT_TRUE(isSlower(after(16, 1, 2000), tier0));
  EXPECT_TRUE(isSlower(after(16, 1, 1300), tier0));
  EXPECT_FALSE(isSlower(after(15, 1, 2000), tier0)) << "too few";
  EXPECT_FALSE(isSlower(after(16, 2, 2000), tier0)) << "other work";
  EXPECT_FALSE(isSlower(after(16, 1, 1100), tier0)) << "as fast, about";
  EXPECT_FALSE(isSlower(after(16, 0, 2000), after(0, 0, 0))) << "tier 0 did none";
}

TEST(Pace, OneShortLaunchIsEnough) {
  Pace pace;
  for (int64_t nanoseconds : {9000, 9000, 900, 9000})
    pace.ran(1, nanoseconds);
  EXPECT_EQ(pace.best().nanoseconds, 900);
  EXPECT_EQ(pace.best().launches, 4);
  pace.ran(2, 9000);
  EXPECT_EQ(pace.best().nanoseconds, 9000);
  EXPECT_EQ(pace.best().launches, 1);
}

TEST(Pace, WorkIsGridAndScalars) {
  std::vector<KernelParameter> parameters(2);
  parameters[0].type = DType::Ptr;
  parameters[1].type = DType::I32;
  auto work = [&](int32_t grid, ArgBits pointer, ArgBits scalar) {
    std::vector<ArgBits> bits = {pointer, scalar};
    LaunchRequest request;
    request.grid.x = grid;
    request.args = bits;
    return workOf(request, parameters);
  };
  EXPECT_EQ(work(4, 1, 7), work(4, 2, 7));
  EXPECT_NE(work(4, 1, 7), work(5, 1, 7));
  EXPECT_NE(work(4, 1, 7), work(4, 1, 8));
}

} // namespace
