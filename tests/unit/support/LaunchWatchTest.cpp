//===- LaunchWatchTest.cpp - the thread that ticks ------------------------------------------------------===//
#include "core/support/LaunchWatch.h"
#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <thread>

namespace trisect {
namespace {

using namespace std::chrono_literals;

long waitsOf(int who) {
  rusage used{};
  getrusage(who, &used);
  return used.ru_nvcsw;
}
long waitsOfOthers() { return waitsOf(RUSAGE_SELF) - waitsOf(RUSAGE_THREAD); }

class LaunchWatchTest : public testing::Test {
protected:
  /// A thread that is woken shall run when the launch is over: as batch work, and on the same processor. The
  /// thread that ticks inherits that.
  static void SetUpTestSuite() {
    sched_getaffinity(0, sizeof everywhere, &everywhere);
    cpu_set_t here;
    CPU_ZERO(&here);
    CPU_SET(sched_getcpu(), &here);
    sched_setaffinity(0, sizeof here, &here);
    sched_param none{};
    sched_setscheduler(0, SCHED_BATCH, &none);
  }
  static void TearDownTestSuite() {
    sched_setaffinity(0, sizeof everywhere, &everywhere);
    sched_param none{};
    sched_setscheduler(0, SCHED_OTHER, &none);
  }
  void SetUp() override {
    setStopQuestion([] { return stops.load(); });
  }
  void TearDown() override {
    setStopQuestion(nullptr);
    stops = false;
  }
  /// So many short launches, with a pause after each.
  static void launch(int count) {
    for (int n = 0; n < count; ++n) {
      {
        LaunchWatch watch;
      }
      std::this_thread::sleep_for(100us);
    }
  }
  /// Until the thread has gone to sleep.
  static void rest() {
    for (long before = -1, now = 0; before != now; now = waitsOfOthers()) {
      before = now;
      std::this_thread::sleep_for(200ms);
    }
  }
  static inline std::atomic<bool> stops{false};
  static inline cpu_set_t everywhere;
};

TEST_F(LaunchWatchTest, ShortLaunchesWakeTheThreadOnce) {
  launch(1);
  rest();
  long before = waitsOfOthers();
  launch(1000);
  // By then it ticks; more often it wakes for each of them.
  EXPECT_LT(waitsOfOthers() - before, 500);
}

TEST_F(LaunchWatchTest, LaunchesAreStoppedAfterARest) {
  launch(1);
  rest();
  stops = true;
  LaunchWatch watch;
  while (!watch.attention())
    std::this_thread::sleep_for(1ms);
  EXPECT_EQ(watch.look(), LaunchWatch::Order::Interrupt);
}

TEST_F(LaunchWatchTest, TheThreadRests) {
  launch(100);
  rest();
  long before = waitsOfOthers();
  std::this_thread::sleep_for(300ms);
  EXPECT_EQ(waitsOfOthers(), before);
}

} // namespace
} // namespace trisect
