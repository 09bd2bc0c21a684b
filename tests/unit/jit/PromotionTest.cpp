//===- PromotionTest.cpp - who becomes a tier, and when -----------------------------------------------===//
//
// What: hot kernels of the target `echo`: promoted, withdrawn, kept, at once for whoever times, not for
// nobody.
//
//===----------------------------------------------------------------------------------------------------===//
#include "tests/unit/jit/Ladder.h"
#include <atomic>
#include <gtest/gtest.h>
#include <thread>

using namespace trisect;
using namespace trisect::jit;

namespace {

class EchoPromotion : public Echo {};

TEST_P(EchoPromotion, AHotKernelOnItsMemoryIsPromoted) {
  Arguments all = vectorAdd();
  auto kernel = load("vector_add.ttir");
  launchUntilPromoted(*kernel, all.request(grid));
  EXPECT_EQ(kernel->tier(), "echo");
  EXPECT_EQ(last(*kernel).kind, Event::Kind::Promoted);
  expectSum(all);
}

TEST_P(EchoPromotion, LaunchesThatWriteNothingCostNoTrust) {
  for (bool first : {true, false}) {
    Arguments all = vectorAdd(), empty = all;
    empty.bits[3] = 0;
    auto kernel = load("vector_add.ttir");
    if (!first)
      launchUntilPromoted(*kernel, all.request(grid));
    for (int launch = 0; launch < 100; ++launch)
      kernel->launch(empty.request(grid));
    if (first)
      launchUntilPromoted(*kernel, all.request(grid));
    // One launch in so many is compared, however often nothing was seen.
    for (int launch = 0; launch < 20; ++launch)
      kernel->launch(all.request(grid));
    EXPECT_EQ(kernel->tier(), "echo") << last(*kernel).text;
    EXPECT_LT(kernel->events().size(), 40u) << "a comparison of nothing is not made each time";
    expectSum(all);
  }
}

TEST_P(EchoPromotion, AWrongOneIsWithdrawnAndTier0GoesOn) {
  echoFlaws().after = [](MemorySpace &memory, const LaunchRequest &request) {
    poke(memory, firstElement(request, 2) + 4, 17.0f);
  };
  Arguments all = vectorAdd();
  auto kernel = load("vector_add.ttir");
  launchUntilPromoted(*kernel, all.request(grid));
  EXPECT_EQ(kernel->tier(), "interp");
  EXPECT_EQ(last(*kernel).kind, Event::Kind::Withdrawn);
  expectSum(all);
}

TEST_P(EchoPromotion, ABrokenCompilerNeverFailsALaunch) {
  echoFlaws().inCompile = [] { throw EngineError("echo is broken"); };
  Arguments all = vectorAdd();
  auto kernel = load("vector_add.ttir");
  launchUntilPromoted(*kernel, all.request(grid));
  EXPECT_EQ(kernel->tier(), "interp");
  EXPECT_EQ(last(*kernel).kind, Event::Kind::Kept);
  EXPECT_EQ(kernel->events().size(), 1u);
  expectSum(all);
}

TEST_P(EchoPromotion, SomebodyWhoTimesGetsTheTierAtOnce) {
  Arguments all = vectorAdd();
  auto kernel = load("vector_add.ttir");
  Foreground now;
  kernel->launch(all.request(grid));
  EXPECT_EQ(kernel->tier(), "echo");
  expectSum(all);
}

TEST_P(EchoPromotion, WhatNobodyWaitsForIsNotCompiled) {
  std::atomic<bool> go{false};
  echoFlaws().inCompile = [&] {
    while (!go)
      std::this_thread::yield();
  };
  Arguments all = vectorAdd();
  std::vector<std::shared_ptr<TieredKernel>> kernels;
  for (int i = 0; i < 40; ++i) {
    kernels.push_back(load("vector_add.ttir"));
    for (int launch = 0; launch < 3; ++launch)
      kernels.back()->launch(all.request(grid));
  }
  kernels.clear();
  go = true;
  waitForCompiles();
  EXPECT_LT(echoFlaws().compiles, 20);
}

TEST_P(EchoPromotion, ArtifactsGoThroughBytes) {
  echoFlaws();
  Target *target = TargetRegistry::find("echo");
  ASSERT_TRUE(target);
  auto kernel = load("vector_add.ttir");
  auto made = compileFor({target, target->device(echoDevice)}, kernel->kernel(), Form::Disjoint);
  auto read = std::make_shared<const Artifact>(deserialize(serialize(*made)));
  Arguments all = vectorAdd();
  target->device(echoDevice)->load(read)->launch(all.request(grid));
  expectSum(all);
}

INSTANTIATE_TEST_SUITE_P(Memory, EchoPromotion, testing::Values(DeviceKind::Extension),
                         [](const auto &) { return std::string("OfItsOwn"); });

} // namespace
