//===- ArrivalsTest.cpp - who waits for whom ------------------------------------------------------------===//
#include "core/support/Arrivals.h"
#include <gtest/gtest.h>
#include <thread>

using namespace trisect;

namespace {

TEST(Arrivals, AreCounted) {
  Arrivals others;
  EXPECT_TRUE(others.await(0));
  EXPECT_EQ(others.arrive(), 0);
  EXPECT_EQ(others.arrive(), 1);
  EXPECT_TRUE(others.await(2));
}

TEST(Arrivals, WhoWaitsComesBackNowAndThen) {
  Arrivals others;
  others.arrive();
  EXPECT_FALSE(others.await(2));
  others.arrive();
  EXPECT_TRUE(others.await(2));
}

TEST(Arrivals, WhoArrivesWakesWhoSleeps) {
  for (int round = 0; round < 50; ++round) {
    Arrivals others;
    std::atomic<bool> through{false};
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(100 * (round % 3)));
      through = true;
      others.arrive();
    });
    while (!others.await(1)) {
    }
    EXPECT_TRUE(through);
    other.join();
  }
}

} // namespace
