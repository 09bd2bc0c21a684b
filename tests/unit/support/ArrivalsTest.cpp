//===- ArrivalsTest.cpp - who waits for whom ------------------------------------------------------------===//
#include "core/support/Arrivals.h"
#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace trisect;

namespace {

TEST(Arrivals, NobodyIsWaitedForThatHasNotEntered) {
  Arrivals here;
  EXPECT_TRUE(here.awaitAll());
  here.enter();
  here.leave();
  EXPECT_TRUE(here.awaitAll());
}

TEST(Arrivals, WhoIsInsideIsWaitedForALittle) {
  Arrivals here;
  here.enter();
  here.enter();
  here.leave();
  EXPECT_FALSE(here.awaitAll()); // comes back, so that its caller may look after something else
  here.leave();
  EXPECT_TRUE(here.awaitAll());
}

TEST(Arrivals, WhoLeavesWakesWhoWaits) {
  for (int round = 0; round < 50; ++round) {
    Arrivals here;
    std::vector<std::thread> others;
    std::atomic<int> inside{0}, through{0};
    for (int i = 0; i < 4; ++i)
      others.emplace_back([&] {
        here.enter();
        ++inside;
        while (inside < 4)
          std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::microseconds(100 * (round % 3)));
        ++through;
        here.leave();
      });
    while (inside < 4)
      std::this_thread::yield();
    while (!here.awaitAll()) {
    }
    EXPECT_EQ(through, 4);
    for (std::thread &other : others)
      other.join();
  }
}

} // namespace
