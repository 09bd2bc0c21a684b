//===- AloneOrSharedTest.cpp - which way a launch goes --------------------------------------------------===//
#include "backends/cpu/launch/AloneOrShared.h"
#include <gtest/gtest.h>

namespace trisect::cpu {
namespace {

/// Launches of 100 programs on 4 threads.
struct Launches {
  AloneOrShared way;
  double alone, shared; ///< what one takes
  int toWake = 0;       ///< so many launches take longer when the threads have slept
  double ofChange = 1;  ///< the first after one that went the other way takes so many times as long
  bool lastAlone = false;
  int awake = 0, aloneInRow = 0, launches = 0;

  /// What it took.
  double once(double slower = 1, double most = 1e6) {
    bool goesAlone = way.choosesAlone(100, 4, most);
    aloneInRow = goesAlone ? aloneInRow + 1 : 0;
    awake = aloneInRow > 10 ? 0 : awake + !goesAlone;
    double took = goesAlone ? alone : awake > toWake ? shared : 1.5 * alone;
    took *= slower * (goesAlone != lastAlone && launches > 0 ? ofChange : 1);
    way.ran(goesAlone, 100, took);
    lastAlone = goesAlone;
    ++launches;
    return took;
  }
  bool goesAlone(double most = 1e6) {
    once(1, most);
    return lastAlone;
  }
  /// The mean of so many.
  double mean(int count) {
    double sum = 0;
    for (int n = 0; n < count; ++n)
      sum += once();
    return sum / count;
  }
};

TEST(AloneOrSharedTest, TheFasterWayIsTakenButForTrials) {
  Launches slowThreads{{}, 1000, 1500};
  EXPECT_FALSE(slowThreads.goesAlone()); // nothing is known
  EXPECT_TRUE(slowThreads.goesAlone());  // tried
  EXPECT_LE(slowThreads.mean(10000), 1011);
  Launches fastThreads{{}, 1000, 500};
  EXPECT_FALSE(fastThreads.goesAlone());
  EXPECT_TRUE(fastThreads.goesAlone());
  EXPECT_LE(fastThreads.mean(10000), 506);
}

TEST(AloneOrSharedTest, ThreadsThatLockAgainstOneAnotherAreTriedSeldom) {
  Launches launches{{}, 1000, 20000};
  launches.mean(100);
  EXPECT_LE(launches.mean(100000), 1020); // the rarest trials
  Launches equal{{}, 1000, 1001};
  EXPECT_LE(equal.mean(10000), 1002);
}

TEST(AloneOrSharedTest, AChangeIsNoticed) {
  Launches launches{{}, 1000, 1500};
  launches.mean(1000);
  launches.shared = 500;
  launches.mean(4200); // some trial is among them
  EXPECT_LE(launches.mean(1000), 510);
  launches.alone = 100;
  launches.mean(4200);
  EXPECT_LE(launches.mean(1000), 108);
}

TEST(AloneOrSharedTest, OneSlowLaunchChangesNothing) {
  Launches launches{{}, 1000, 900};
  launches.mean(10000);
  while (launches.goesAlone()) { // a trial
  }
  launches.way.ran(false, 100, 1e6);
  EXPECT_LE(launches.mean(100), 905);
}

TEST(AloneOrSharedTest, ThreadsMayTakeSomeLaunchesToWake) {
  Launches launches{{}, 1000, 500, 10};
  launches.mean(100);
  EXPECT_LE(launches.mean(10000), 520);
}

TEST(AloneOrSharedTest, ToChangeTheWayIsDear) {
  Launches launches{{}, 1000, 900, 0, 2};
  launches.mean(100);
  double sum = 0;
  for (int n = 0; n < 10000; ++n)
    sum += launches.once(n % 500 < 8 ? 1.9 : 1); // now and then something else runs for some launches
  EXPECT_LE(sum / 10000, 900 * 1.04);
}

TEST(AloneOrSharedTest, AWayThatBecomesMuchSlowerIsLeftSoon) {
  Launches launches{{}, 1000, 900};
  launches.mean(10000);
  launches.shared = 3000; // its threads are busy elsewhere
  launches.mean(60);
  EXPECT_LE(launches.mean(1000), 1150);
}

TEST(AloneOrSharedTest, LongLaunchesAreShared) {
  Launches launches{{}, 1000, 1500};
  launches.mean(10);
  // 1.5 us on 4 threads may be 6 us on one.
  EXPECT_TRUE(launches.goesAlone(6000));
  EXPECT_FALSE(launches.goesAlone(5999));
}

} // namespace
} // namespace trisect::cpu
