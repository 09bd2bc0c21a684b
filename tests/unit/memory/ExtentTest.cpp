//===- ExtentTest.cpp - bytes that views reach ----------------------------------------------------------===//
#include "interp/memory/Extent.h"
#include <gtest/gtest.h>

namespace trisect::interp {
namespace {

TensorView view(std::vector<int64_t> shape, std::vector<int64_t> strides) {
  TensorView made;
  made.address = 1000;
  made.shape = std::move(shape);
  made.strides = std::move(strides);
  return made;
}

TEST(ExtentTest, AContiguousViewHasNoGaps) {
  Extent extent(view({4, 8}, {8, 1}));
  EXPECT_TRUE(extent.dense());
  EXPECT_EQ(extent.low(), 1000u);
  EXPECT_EQ(extent.high(), 1128u);
  EXPECT_TRUE(extent.contains(1124, 4));
  EXPECT_FALSE(extent.contains(1126, 4));
  EXPECT_FALSE(extent.contains(996, 4));
  EXPECT_EQ(extent.indexOf(1000 + 4 * 19), (std::vector<int64_t>{2, 3}));
}

TEST(ExtentTest, GapsOfAStridedViewAreOutside) {
  Extent extent(view({4, 8}, {10, 1}));
  EXPECT_FALSE(extent.dense());
  EXPECT_TRUE(extent.contains(1000 + 4 * 17, 4));
  EXPECT_FALSE(extent.contains(1000 + 4 * 8, 4));
  EXPECT_FALSE(extent.contains(1000 + 4 * 19, 4));
  EXPECT_TRUE(extent.contains(1000 + 4 * 37, 4));
  EXPECT_FALSE(extent.contains(1000 + 4 * 38, 4));
  EXPECT_EQ(extent.indexOf(1000 + 4 * 19), (std::vector<int64_t>{1, 9}));
  int64_t runs = 0;
  extent.forRuns([&](uint64_t address, int64_t bytes) {
    EXPECT_EQ(address, 1000u + uint64_t(runs) * 40);
    EXPECT_EQ(bytes, 32);
    ++runs;
  });
  EXPECT_EQ(runs, 4);
}

TEST(ExtentTest, AColumnOfAMatrixHasOneElementARow) {
  Extent extent(view({4}, {16}));
  EXPECT_TRUE(extent.contains(1064, 4));
  EXPECT_FALSE(extent.contains(1004, 4));
  EXPECT_EQ(extent.high(), 1000u + 3 * 64 + 4);
}

TEST(ExtentTest, NegativeAndZeroStrides) {
  Extent turned(view({4}, {-1}));
  EXPECT_EQ(turned.low(), 988u);
  EXPECT_EQ(turned.high(), 1004u);
  EXPECT_EQ(turned.indexOf(988), (std::vector<int64_t>{3}));
  EXPECT_EQ(turned.indexOf(1000), (std::vector<int64_t>{0}));
  Extent repeated(view({4, 8}, {0, 1}));
  EXPECT_EQ(repeated.high(), 1032u);
  EXPECT_EQ(repeated.indexOf(1004), (std::vector<int64_t>{0, 1}));
}

TEST(ExtentTest, IndicesOutsideLeaveTheOutermostDimension) {
  Extent extent(view({4, 8}, {8, 1}));
  EXPECT_EQ(extent.indexOf(1128), (std::vector<int64_t>{4, 0}));
  EXPECT_EQ(extent.indexOf(996), (std::vector<int64_t>{-1, 7}));
  Extent single(view({1, 1}, {1, 1}));
  EXPECT_EQ(single.indexOf(1000), (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(single.indexOf(1016), (std::vector<int64_t>{0, 4}));
  EXPECT_EQ(single.indexOf(995), (std::vector<int64_t>{0, -2}));
}

TEST(ExtentTest, NothingIsInsideAnEmptyView) {
  Extent extent(view({0, 8}, {8, 1}));
  EXPECT_TRUE(extent.empty());
  EXPECT_FALSE(extent.contains(1000, 4));
  Extent scalar(view({}, {}));
  EXPECT_TRUE(scalar.contains(1000, 4));
  EXPECT_FALSE(scalar.contains(1004, 4));
}

} // namespace
} // namespace trisect::interp
