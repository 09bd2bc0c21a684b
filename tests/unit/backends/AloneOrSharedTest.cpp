//===- AloneOrSharedTest.cpp - which way a launch goes --------------------------------------------------===//
#include "backends/cpu/launch/AloneOrShared.h"
#include <gtest/gtest.h>

namespace trisect::cpu {
namespace {

/// Launches of 100 programs on 4 threads.
struct Launches {
  AloneOrShared way;
  double alone, shared; ///< what one takes

  bool once(double most = 1e6) {
    bool goesAlone = way.choosesAlone(100, 4, most);
    way.ran(goesAlone, 100, goesAlone ? alone : shared);
    return goesAlone;
  }
  int aloneOf(int launches) {
    int count = 0;
    for (int i = 0; i < launches; ++i)
      count += once();
    return count;
  }
};

TEST(AloneOrSharedTest, TheFasterWayIsTakenButForTrials) {
  Launches slowThreads{{}, 1000, 1500};
  EXPECT_FALSE(slowThreads.once()); // nothing is known
  EXPECT_TRUE(slowThreads.once());  // tried
  EXPECT_GE(slowThreads.aloneOf(10000), 9940);
  Launches fastThreads{{}, 1000, 500};
  EXPECT_FALSE(fastThreads.once());
  EXPECT_TRUE(fastThreads.once());
  EXPECT_LE(fastThreads.aloneOf(10000), 60);
}

TEST(AloneOrSharedTest, AChangeIsNoticed) {
  Launches launches{{}, 1000, 1500};
  launches.aloneOf(100);
  launches.shared = 500;
  launches.aloneOf(10000); // some trial is among them
  EXPECT_LE(launches.aloneOf(1000), 70);
  launches.alone = 100;
  launches.aloneOf(10000);
  EXPECT_GE(launches.aloneOf(1000), 930);
}

TEST(AloneOrSharedTest, OneSlowLaunchChangesNothing) {
  Launches launches{{}, 1000, 900};
  launches.aloneOf(10000);
  launches.way.ran(false, 100, 1e6);
  EXPECT_FALSE(launches.once());
}

TEST(AloneOrSharedTest, ToChangeTheWayIsDear) {
  Launches launches{{}, 1000, 900};
  launches.once();
  bool last = launches.once();
  int changes = 0, aloneOnes = 0;
  for (int n = 0; n < 10000; ++n) {
    bool alone = launches.way.choosesAlone(100, 4, 1e6);
    changes += alone != last;
    aloneOnes += alone;
    // Data lies in other caches then; and now and then something else runs for some launches.
    double took = alone ? launches.alone : launches.shared;
    launches.way.ran(alone, 100, took * (alone != last || n % 500 < 8 ? 1.9 : 1));
    last = alone;
  }
  EXPECT_LE(changes, 60);
  EXPECT_LE(aloneOnes, 300);
}

TEST(AloneOrSharedTest, AWayThatBecomesMuchSlowerIsLeftSoon) {
  Launches launches{{}, 1000, 900};
  launches.aloneOf(10000);
  launches.shared = 3000; // its threads are busy elsewhere
  launches.aloneOf(40);
  EXPECT_GE(launches.aloneOf(1000), 950);
}

TEST(AloneOrSharedTest, LongLaunchesAreShared) {
  Launches launches{{}, 1000, 1500};
  EXPECT_EQ(launches.aloneOf(100) > 90, true);
  // 1.5 us on 4 threads may be 6 us on one.
  EXPECT_TRUE(launches.once(6000));
  EXPECT_FALSE(launches.once(5999));
}

} // namespace
} // namespace trisect::cpu
