//===- ForkGateTest.cpp - what a forked child finds -----------------------------------------------------===//
#include "core/support/ForkGate.h"
#include "tests/unit/support/InChild.h"
#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

using namespace trisect;

namespace {

/// A thread that is somewhere and stays there until told.
class Elsewhere {
public:
  template <typename Work> explicit Elsewhere(Work work) : thread([this, work] { work(*this); }) {
    while (!there)
      std::this_thread::yield();
  }
  ~Elsewhere() { thread.join(); }
  void stay(std::chrono::milliseconds time) {
    there = true;
    std::this_thread::sleep_for(time);
  }

private:
  std::atomic<bool> there{false};
  std::thread thread;
};

TEST(ForkGate, AForkWaitsForSectionsOfOtherThreads) {
  static std::atomic<int> half{0};
  Elsewhere other([](Elsewhere &self) {
    ForkSection outer;
    {
      ForkSection inner;
      half = 1;
    }
    self.stay(std::chrono::milliseconds(200));
    half = 2;
  });
  EXPECT_EQ(inChild([] { return half.load(); }), 2);
}

TEST(ForkGate, TheEndWaitsForSectionsAndLetsNobodyIn) {
  static std::atomic<int> half{0};
  static std::atomic<bool> cameIn{false};
  EXPECT_EQ(inChild([] {
              Elsewhere other([](Elsewhere &self) {
                ForkSection section;
                half = 1;
                self.stay(std::chrono::milliseconds(200));
                half = 2;
              });
              endForkSections();
              if (half != 2)
                return 1;
              std::thread([] {
                ForkSection section;
                cameIn = true;
              }).detach();
              endForkSections(); // Python may end once more
              ForkMutex mutex;
              std::lock_guard mine(mutex); // what is destroyed now may need it
              int grandchild = inChild([] {
                ForkSection section;
                return 3;
              });
              std::this_thread::sleep_for(std::chrono::milliseconds(100));
              return cameIn ? 2 : grandchild;
            }),
            3);
}

TEST(ForkGate, AMutexOfAnotherThreadIsOpenInTheChild) {
  static ForkMutex mutex;
  Elsewhere other([](Elsewhere &self) {
    std::lock_guard guard(mutex);
    self.stay(std::chrono::milliseconds(200));
  });
  EXPECT_EQ(inChild([] {
              std::lock_guard guard(mutex);
              return 7;
            }),
            7);
}

TEST(ForkGate, TheForkingThreadMayBeInASection) {
  ForkSection own;
  EXPECT_EQ(inChild([] {
              ForkSection again;
              return 7;
            }),
            7);
}

TEST(ForkGate, AStaticThatAnotherThreadMakesIsMadeInTheChild) {
  auto slow = [](Elsewhere *self) {
    static const int made = [self] {
      if (self)
        self->stay(std::chrono::milliseconds(200));
      return 7;
    }();
    return made;
  };
  Elsewhere other([slow](Elsewhere &self) { slow(&self); });
  EXPECT_EQ(inChild([slow] { return slow(nullptr); }), 7);
}

TEST(ForkGate, AStaticThatCannotBeMadeLeavesItsSection) {
  static bool fails = true;
  auto get = [] {
    static const int made = fails ? throw std::bad_alloc() : 7;
    return made;
  };
  std::thread([get] { EXPECT_THROW(get(), std::bad_alloc); }).join();
  fails = false;
  EXPECT_EQ(inChild([get] { return get(); }), 7); // waits for ever if that thread's section stays open
}

TEST(ForkGate, SectionsOpenAgainAfterTheFork) {
  std::atomic<bool> stop{false};
  std::atomic<int> entered{0};
  std::thread other([&] {
    while (!stop) {
      ForkSection section;
      ++entered;
    }
  });
  for (int n = 0; n < 50; ++n)
    EXPECT_EQ(inChild([] {
                ForkSection section;
                return 7;
              }),
              7);
  int before = entered;
  while (entered == before)
    std::this_thread::yield();
  stop = true;
  other.join();
}

TEST(ForkGate, WhatWaitsForTheForkingThreadIsDoneOutsideOfSections) {
  std::mutex held; // as a thread that forks holds Python's lock
  std::atomic<bool> waits{false};
  std::atomic<int> done{0};
  held.lock();
  std::thread other([&] {
    ForkSection outer;
    {
      ForkSection inner;
      outsideForkSections([&] {
        std::lock_guard guard(held);
        ++done;
      });
    }
    waits = true;
  });
  while (!waits)
    std::this_thread::yield();
  EXPECT_EQ(inChild([] { return 7; }), 7); // hangs if the section is waited for
  EXPECT_EQ(done, 0);
  held.unlock();
  other.join();
  EXPECT_EQ(done, 1);
  outsideForkSections([&] { ++done; });
  EXPECT_EQ(done, 2);
}

std::atomic<int> renewed{0};

TEST(ForkGate, TheChildRenewsOnce) {
  EXPECT_FALSE(isForkedChild());
  for (int n = 0; n < 3; ++n)
    inForkedChild([] { ++renewed; });
  EXPECT_EQ(inChild([] { return isForkedChild() ? renewed.load() : 99; }), 1);
  EXPECT_EQ(renewed, 0);
}

} // namespace
