//===- LateThreadsTest.cpp - borrowed threads that have not come yet ------------------------------------===//
#include "core/support/Threads.h"
#include <atomic>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <thread>

using namespace trisect;

namespace {

// Awake it would keep them from the processor that they are to run on, for milliseconds.
TEST(LateThreads, TheCallerSleepsUntilTheyCome) {
  void *runtime = dlopen(LATE_RUNTIME, RTLD_LAZY);
  ASSERT_TRUE(runtime) << dlerror();
  ASSERT_EQ(threadRuntime(), "openmp");
  std::atomic<int> calls{0}, ofCaller{0};
  onThreads(2, [&, caller = std::this_thread::get_id()](int index) {
    ++calls;
    ofCaller += std::this_thread::get_id() == caller && index == 0;
  });
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(ofCaller, 1);
  EXPECT_GE(*static_cast<long *>(dlsym(runtime, "sleepsOfCaller")), 1);
}

} // namespace
