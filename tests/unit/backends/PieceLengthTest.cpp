//===- PieceLengthTest.cpp - short shares stay whole ----------------------------------------------------===//
#include "backends/cpu/launch/PieceLength.h"
#include <gtest/gtest.h>

using namespace trisect::cpu;

namespace {

TEST(PieceLength, ShortSharesAreOnePiece) {
  EXPECT_EQ(leastPiece(100, 64, 2), 32);
  EXPECT_EQ(leastPiece(0, 65, 2), 33);
  EXPECT_EQ(leastPiece(100, 3, 8), 1);
  EXPECT_EQ(leastPiece(100, 198, 2), 99);
}

TEST(PieceLength, LongOnesAreCut) {
  EXPECT_EQ(leastPiece(100, 6400, 2), 50);
  EXPECT_EQ(leastPiece(100, 256, 2), 16);
  EXPECT_EQ(leastPiece(100, 200, 2), 12);
  EXPECT_EQ(leastPiece(1e6, 64, 2), 1);
}

TEST(PieceLength, OneThreadCutsWhatTakesLonger) {
  EXPECT_EQ(leastPiece(100, 999, 1), 999);
  EXPECT_EQ(leastPiece(100, 1000, 1), 50);
  EXPECT_EQ(leastPiece(-1, 64, 1), 8);
}

TEST(PieceLength, NothingIsKnownOfTheFirstLaunch) { EXPECT_EQ(leastPiece(-1, 64, 2), 4); }

} // namespace
