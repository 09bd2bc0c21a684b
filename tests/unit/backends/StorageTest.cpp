//===- StorageTest.cpp - no two buffers share memory while both are needed ------------------------------===//
#include "backends/cpu/plan/Storage.h"
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace trisect::cpu;

namespace {
bool shareBytes(const Life &a, int64_t atA, const Life &b, int64_t atB) {
  return atA < atB + b.bytes && atB < atA + a.bytes;
}

/// The least that any placing needs: what is needed at one time.
int64_t mostAtOnce(const std::vector<Life> &lives) {
  int64_t most = 0;
  for (const Life &now : lives) {
    int64_t sum = 0;
    for (const Life &life : lives)
      if (life.begin <= now.begin && now.begin <= life.end)
        sum += life.bytes;
    most = std::max(most, sum);
  }
  return most;
}

TEST(Storage, FollowersShareAPlace) {
  Storage storage = storageOf({{256, 0, 4}, {128, 5, 9}, {256, 10, 12}}, 64);
  EXPECT_EQ(storage.offsets[0], 64);
  EXPECT_EQ(storage.offsets[1], 64);
  EXPECT_EQ(storage.offsets[2], 64);
  EXPECT_EQ(storage.end, 64 + 256);
}

TEST(Storage, WhatIsReadWhereTheNextIsMadeIsKept) {
  Storage storage = storageOf({{64, 0, 4}, {64, 4, 9}}, 0);
  EXPECT_NE(storage.offsets[0], storage.offsets[1]);
}

TEST(Storage, ASmallOneFillsAHole) {
  // The two large ones lie side by side; what begins when the first has ended takes its place.
  Storage storage = storageOf({{1024, 0, 3}, {512, 0, 9}, {64, 5, 9}}, 0);
  EXPECT_EQ(storage.offsets[2], 0);
  EXPECT_EQ(storage.end, 1024 + 512);
}

TEST(Storage, NoneNeedsNothing) { EXPECT_EQ(storageOf({}, 192).end, 192); }

TEST(Storage, LivesThatMeetNeverShareMemory) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    auto below = [&](int64_t n) { return std::uniform_int_distribution<int64_t>(0, n - 1)(random); };
    std::vector<Life> lives;
    for (int64_t count = below(40); count > 0; --count) {
      int64_t begin = below(60);
      lives.push_back(
          {(1 + below(32)) * Storage::alignment - below(2) * below(64), begin, begin + below(20)});
    }
    Storage storage = storageOf(lives, 128);
    ASSERT_EQ(storage.offsets.size(), lives.size());
    int64_t apart = 0;
    for (size_t a = 0; a < lives.size(); ++a) {
      EXPECT_EQ(storage.offsets[a] % Storage::alignment, 0);
      EXPECT_GE(storage.offsets[a], 128);
      EXPECT_LE(storage.offsets[a] + lives[a].bytes, storage.end);
      apart += (lives[a].bytes + Storage::alignment - 1) / Storage::alignment * Storage::alignment;
      for (size_t b = 0; b < a; ++b) {
        bool together = lives[a].begin <= lives[b].end && lives[b].begin <= lives[a].end;
        EXPECT_FALSE(together && shareBytes(lives[a], storage.offsets[a], lives[b], storage.offsets[b]))
            << "seed " << seed << ", buffers " << b << " and " << a;
      }
    }
    EXPECT_GE(storage.end - 128, mostAtOnce(lives));
    EXPECT_LE(storage.end - 128, apart);
  }
}
} // namespace
