//===- PerThreadTest.cpp - objects of threads, and threads, without memory ------------------------------===//
#include "core/support/PerThread.h"
#include "core/support/OwnThread.h"
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <new>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace trisect;

namespace {

std::vector<int> ended;

template <int number> struct Noted {
  int value = number;
  ~Noted() { ended.push_back(number); }
};

constinit PerThread<Noted<1>> first;
constinit PerThread<Noted<2>> second;

TEST(PerThread, EachThreadHasItsOwnAndTheLastIsDestroyedFirst) {
  first.get().value = 10;
  ended.clear();
  std::thread([] {
    EXPECT_EQ(first.get().value, 1);
    EXPECT_EQ(second.get().value, 2);
    EXPECT_EQ(&first.get(), &first.get());
  }).join();
  EXPECT_EQ(ended, (std::vector<int>{2, 1}));
  EXPECT_EQ(first.get().value, 10);
}

struct Asks {
  ~Asks() { EXPECT_EQ(first.get().value, 1); }
};

TEST(PerThread, ADestructorMayAskForWhatIsGone) {
  static constinit PerThread<Asks> asking;
  ended.clear();
  std::thread([] {
    asking.get();
    first.get();
  }).join();
  EXPECT_EQ(ended, (std::vector<int>{1, 1}));
}

TEST(PerThread, AThreadThatServesHasTheObjectsFromItsBeginning) {
  first.get();
  std::atomic<int> found{0};
  ASSERT_TRUE(startThread([&] {
    found = first.get().value;
    found.notify_one();
  }));
  found.wait(0);
  EXPECT_EQ(found, 1);
}

/// Sanitizers reserve more than any limit.
bool limitsWork() {
  std::ifstream file("/proc/self/statm");
  int64_t pages = 0;
  file >> pages;
  return pages > 0 && pages * sysconf(_SC_PAGESIZE) < int64_t(1) << 40;
}

/// Runs `work` in a child that gets no more memory at all; the exit status, -1 for a signal.
template <typename Work> int withoutMemory(Work work) {
  pid_t child = fork();
  if (child == 0) {
    rlimit none{0, RLIM_INFINITY};
    setrlimit(RLIMIT_AS, &none);
    for (size_t bytes : {size_t(1) << 20, size_t(1) << 12, size_t(256), size_t(16)})
      while (auto *taken = static_cast<char *volatile *>(std::malloc(bytes)))
        *taken = nullptr;
    _exit(work());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

template <typename Work> bool throwsBadAlloc(Work work) {
  try {
    work();
    return false;
  } catch (const std::bad_alloc &) {
    return true;
  }
}

TEST(PerThread, WithoutMemoryTheFirstUseThrows) {
  if (!limitsWork())
    GTEST_SKIP() << "limits of the address space mean nothing under a sanitizer";
  static constinit PerThread<Noted<3>> fresh;
  EXPECT_EQ(withoutMemory([] { return throwsBadAlloc([] { fresh.get(); }) ? 0 : 1; }), 0);
}

TEST(PerThread, WithoutMemoryThereIsNoThreadAndNoClaim) {
  if (!limitsWork())
    GTEST_SKIP() << "limits of the address space mean nothing under a sanitizer";
  EXPECT_EQ(withoutMemory([] { return startThread([] {}) ? 1 : 0; }), 0);
  EXPECT_EQ(withoutMemory([] { return roomForThreads(1) ? 1 : 0; }), 0);
}

} // namespace
