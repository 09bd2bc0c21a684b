//===- OrderTest.cpp - ranks of every format ------------------------------------------------------------===//
#include "interp/bounds/Ends.h"
#include "interp/exec/Format.h"
#include <gtest/gtest.h>

namespace trisect::interp {
namespace {

class Order : public testing::TestWithParam<DType> {};

TEST_P(Order, RanksFollowNumbersAndComeBack) {
  DType type = GetParam();
  uint64_t patterns = uint64_t(1) << bitWidth(type);
  for (uint64_t bits = 0; bits < patterns; ++bits) {
    if (isNan(bits, type)) {
      EXPECT_TRUE(std::isnan(toDouble(bits, type))) << bits;
      continue;
    }
    ASSERT_FALSE(std::isnan(toDouble(bits, type))) << bits;
    int64_t rank = rankOf(bits, type);
    ASSERT_EQ(bitsOfRank(rank, type), bits);
    if (rank == highestRank(type))
      continue;
    uint64_t next = shifted(bits, type, 1);
    EXPECT_LE(toDouble(bits, type), toDouble(next, type)) << bits;
    EXPECT_FALSE(isNan(next, type)) << bits;
  }
  EXPECT_EQ(shifted(bitsOfRank(highestRank(type), type), type, 5), bitsOfRank(highestRank(type), type));
}

INSTANTIATE_TEST_SUITE_P(Formats, Order,
                         testing::Values(DType::F16, DType::BF16, DType::F8E5M2, DType::F8E4M3FN,
                                         DType::F8E5M2FNUZ, DType::F8E4M3FNUZ),
                         [](const auto &each) { return std::string(name(each.param)); });

TEST(Spans, DoubtIsKnownInEveryType) {
  for (int n = 0; n < numDTypes; ++n) {
    auto type = static_cast<DType>(n);
    Span doubt = Span::doubt(type);
    EXPECT_TRUE(doubt.inDoubt(type)) << name(type);
    EXPECT_FALSE(Span::at(0).inDoubt(type)) << name(type);
    EXPECT_TRUE(doubt.united(Span::at(1), type).inDoubt(type)) << name(type);
    EXPECT_TRUE(Span::at(1).united(doubt, type).inDoubt(type)) << name(type);
  }
}

TEST(Spans, UnitedHoldsBoth) {
  auto bits = [](double number) { return fromDouble(number, DType::F32); };
  Span hull = Span::at(bits(-2)).united(Span::at(bits(3)), DType::F32);
  EXPECT_EQ(toDouble(hull.low, DType::F32), -2);
  EXPECT_EQ(toDouble(hull.high, DType::F32), 3);
  Span zeros = Span::at(bits(0)).united(Span::at(bits(-0.0)), DType::F32);
  EXPECT_EQ(zeros.low, bits(-0.0));
  EXPECT_EQ(zeros.high, bits(0.0));
}

} // namespace
} // namespace trisect::interp
