//===- ParallelGridTest.cpp - shares, pieces, and who takes what others have left -----------------------===//
#include "backends/common/ParallelGrid.h"
#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

using namespace trisect;

namespace {

struct Taken {
  int64_t begin, end;
  std::thread::id by;
};

std::vector<Taken> take(
    const Pieces &pieces, unsigned threads,
    llvm::function_ref<void(int64_t, int64_t)> work = [](int64_t, int64_t) {}) {
  std::mutex lock;
  std::vector<Taken> taken;
  LaunchWatch watch;
  parallelPieces(pieces, threads, watch, [&](int64_t begin, int64_t end) {
    {
      std::lock_guard guard(lock);
      taken.push_back({begin, end, std::this_thread::get_id()});
    }
    work(begin, end);
  });
  return taken;
}

void expectCover(std::vector<Taken> taken, int64_t total) {
  std::sort(taken.begin(), taken.end(), [](const Taken &a, const Taken &b) { return a.begin < b.begin; });
  int64_t end = 0;
  for (const Taken &each : taken) {
    EXPECT_EQ(each.begin, end);
    EXPECT_GT(each.end, each.begin);
    end = each.end;
  }
  EXPECT_EQ(end, total);
}

TEST(ParallelGrid, EachIsTakenOnce) {
  for (int64_t total : {0, 1, 2, 3, 7, 64, 1000, 12345})
    for (unsigned threads : {1u, 2u, 3u, 8u})
      for (int64_t least : {1, 5, 100000})
        for (unsigned ofShare : {1u, 8u})
          expectCover(take({total, least, ofShare}, threads), total);
}

TEST(ParallelGrid, TheCallerBeginsWithTheFirstShareInItsOrder) {
  // The other thread stays in its first piece until the first share is done: it would take pieces of it.
  std::atomic<bool> otherHasBegun{false};
  std::atomic<int64_t> ofFirstShare{0};
  const std::thread::id caller = std::this_thread::get_id();
  std::vector<Taken> taken = take({64, 1, 8}, 2, [&](int64_t begin, int64_t end) {
    bool isOther = std::this_thread::get_id() != caller;
    otherHasBegun = otherHasBegun || isOther;
    while (isOther ? ofFirstShare < 32 : begin == 0 && !otherHasBegun)
      std::this_thread::yield();
    if (begin < 32)
      ofFirstShare += end - begin;
  });
  auto mine = [](const Taken &each) { return each.by == std::this_thread::get_id(); };
  EXPECT_EQ(std::find_if(taken.begin(), taken.end(), mine)->begin, 0);
  EXPECT_EQ(std::find_if_not(taken.begin(), taken.end(), mine)->begin, 32);
  std::vector<int64_t> begins;
  for (const Taken &each : taken)
    if (each.begin < 32)
      begins.push_back(each.begin);
  EXPECT_TRUE(std::is_sorted(begins.begin(), begins.end()));
}

TEST(ParallelGrid, WhatAThreadLeavesOthersTake) {
  // The caller stays in its first piece until all others are taken, and the other one waits for it to begin.
  std::atomic<bool> callerHasBegun{false};
  std::atomic<int64_t> done{0};
  const std::thread::id caller = std::this_thread::get_id();
  std::vector<Taken> taken = take({64, 1, 8}, 2, [&](int64_t begin, int64_t end) {
    bool isCaller = std::this_thread::get_id() == caller;
    callerHasBegun = callerHasBegun || isCaller;
    while (isCaller ? done < 64 - (end - begin) : !callerHasBegun)
      std::this_thread::yield();
    done += end - begin;
  });
  expectCover(taken, 64);
  auto mine = [](const Taken &each) { return each.by == std::this_thread::get_id(); };
  EXPECT_EQ(std::count_if(taken.begin(), taken.end(), mine), 1);
}

TEST(ParallelGrid, PiecesBecomeShorterButNotTooShort) {
  std::vector<Taken> taken = take({2000, 10, 8}, 2);
  int64_t longest = 0, shortest = 2000;
  for (const Taken &each : taken) {
    longest = std::max(longest, each.end - each.begin);
    if (each.end != 1000 && each.end != 2000)
      shortest = std::min(shortest, each.end - each.begin);
  }
  EXPECT_EQ(longest, 125);
  EXPECT_GE(shortest, 10);
  EXPECT_LT(shortest, 20);
}

} // namespace
