//===- QuestionTest.cpp - overlaps, held against the bytes themselves -----------------------------------===//
#include "backends/cuda/emit/Question.h"
#include <gtest/gtest.h>

using trisect::cuda::areApart;
using trisect::cuda::OverlapQuestion;

namespace {
/// Whether a byte is in both ranges, where addresses repeat after `period`.
bool share(int64_t a, int64_t aBytes, int64_t b, int64_t bBytes, int64_t period) {
  for (int64_t i = 0; i < aBytes; ++i)
    for (int64_t k = 0; k < bBytes; ++k)
      if ((a + i - b - k) % period == 0)
        return true;
  return false;
}

TEST(OverlapQuestions, AreAboutTheBytesOfBothRanges) {
  constexpr uint32_t bits = 6;
  for (int64_t ahead : {-8, 0, 3})
    for (int64_t earlierBytes : {1, 4, 9})
      for (int64_t laterBytes : {1, 8})
        for (int64_t distance = -150; distance <= 150; ++distance) {
          OverlapQuestion question{0, 1, ahead, earlierBytes, laterBytes, 64 - bits, false};
          uint64_t later = 1000, earlier = later + static_cast<uint64_t>(distance);
          bool wanted = share(distance + ahead, earlierBytes, 0, laterBytes, 1 << bits);
          EXPECT_EQ(question.overlap(earlier, later), wanted)
              << distance << " " << ahead << " " << earlierBytes << " " << laterBytes;
          question.sameIfEqual = true;
          EXPECT_EQ(question.overlap(earlier, later), wanted && distance + ahead != 0);
        }
}

TEST(OverlapQuestions, OneYesIsEnough) {
  OverlapQuestion near{0, 1, 0, 64, 64, 30, true}, far{2, 1, 0, 64, 64, 30, true};
  std::vector<uint64_t> arguments = {4096, 4096 + 32, 1 << 20};
  EXPECT_FALSE(areApart(std::vector{far, near}, arguments));
  EXPECT_TRUE(areApart(std::vector{far}, arguments));
  EXPECT_TRUE(areApart({}, arguments));
  arguments[1] = arguments[0];
  EXPECT_TRUE(areApart(std::vector{far, near}, arguments)) << "each thread touches its own again";
}
} // namespace
