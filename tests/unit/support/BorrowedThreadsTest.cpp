//===- BorrowedThreadsTest.cpp - what it takes to borrow threads that are there -------------------------===//
#include "core/support/AddressSpace.h"
#include "core/support/Threads.h"
#include "tests/unit/Sanitizers.h"
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <sched.h>
#include <string>
#include <sys/resource.h>

using namespace trisect;

static int asked = 0;

// The linker lets all calls of getrlimit() come here, also that of a sanitizer that begins.
int realLimit(int resource, rlimit *limit) asm("__real_getrlimit");
int wrappedLimit(int resource, rlimit *limit) asm("__wrap_getrlimit");
__attribute__((disable_sanitizer_instrumentation)) int wrappedLimit(int resource, rlimit *limit) {
  ++asked;
  return realLimit(resource, limit);
}

namespace {

class BorrowedThreads : public testing::Test {
protected:
  void SetUp() override {
    if (underTsan)
      GTEST_SKIP() << "ThreadSanitizer does not see that libgomp waits for its threads";
    setenv("OMP_WAIT_POLICY", "active", 1); // the runtime itself never sleeps
    if (!dlopen("libgomp.so.1", RTLD_LAZY))
      GTEST_SKIP() << "no OpenMP runtime";
    ASSERT_EQ(threadRuntime(), "openmp");
  }
};

/// Of all threads.
void runOn(const cpu_set_t &processors) {
  for (const auto &each : std::filesystem::directory_iterator("/proc/self/task"))
    sched_setaffinity(std::stoi(each.path().filename()), sizeof processors, &processors);
}

TEST_F(BorrowedThreads, WhoIsThroughMakesRoomForThoseThatHaveNotCome) {
  onThreads(2, [](int) {});
  cpu_set_t before, one;
  sched_getaffinity(0, sizeof before, &before);
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  runOn(one);
  auto waits = [] {
    rusage used{};
    getrusage(RUSAGE_THREAD, &used);
    return used.ru_nvcsw;
  };
  constexpr int rounds = 20;
  long start = waits();
  for (int n = 0; n < rounds; ++n)
    onThreads(2, [](int) {});
  long slept = waits() - start;
  runOn(before);
  EXPECT_GE(slept, rounds / 2);
}

TEST_F(BorrowedThreads, RoomIsLookedForBeforeThereAreMore) {
  ASSERT_TRUE(claimThreadStorage());
  auto asksFor = [](int threads) {
    int before = asked;
    onThreads(threads, [](int) {});
    return asked - before;
  };
  asksFor(2); // its thread looks for room for itself too
  EXPECT_EQ(asksFor(2), 0);
  EXPECT_GT(asksFor(3), 0);
}

} // namespace
