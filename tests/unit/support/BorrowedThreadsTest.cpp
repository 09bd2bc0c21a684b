//===- BorrowedThreadsTest.cpp - what it takes to borrow threads that are there -------------------------===//
#include "core/support/AddressSpace.h"
#include "core/support/Threads.h"
#include "tests/unit/Sanitizers.h"
#include <dlfcn.h>
#include <gtest/gtest.h>
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

TEST(BorrowedThreads, RoomIsLookedForBeforeThereAreMore) {
  if (underTsan)
    GTEST_SKIP() << "ThreadSanitizer does not see that libgomp waits for its threads";
  if (!dlopen("libgomp.so.1", RTLD_LAZY))
    GTEST_SKIP() << "no OpenMP runtime";
  ASSERT_EQ(threadRuntime(), "openmp");
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
