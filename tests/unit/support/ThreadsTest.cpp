//===- ThreadsTest.cpp - own threads, several jobs, forks -----------------------------------------------===//
#include "core/support/Threads.h"
#include "core/support/Options.h"
#include "core/support/WorkerPool.h"
#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sched.h>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace trisect;

namespace {

template <typename Work> void onPool(int threads, Work work) {
  WorkerPool::instance().run(
      threads, [](void *data, int index) { (*static_cast<Work *>(data))(index); }, &work);
}

TEST(WorkerPool, EachIndexAtMostOnceAndTheCallerIsZero) {
  for (int threads : {1, 2, 3, 8}) {
    std::mutex lock;
    std::multiset<int> seen;
    auto caller = std::this_thread::get_id();
    onPool(threads, [&](int index) {
      std::lock_guard guard(lock);
      seen.insert(index);
      EXPECT_EQ(index == 0, std::this_thread::get_id() == caller);
    });
    EXPECT_EQ(seen.count(0), 1u);
    for (int index : seen) {
      EXPECT_EQ(seen.count(index), 1u);
      EXPECT_LT(index, threads);
    }
  }
}

TEST(WorkerPool, OthersComeWhileTheCallerWorks) {
  std::atomic<int> inside{0};
  onPool(3, [&](int) {
    ++inside;
    while (inside < 3)
      std::this_thread::yield();
  });
  EXPECT_EQ(inside, 3);
}

TEST(WorkerPool, SleepersAreKeptOffTheProcessorOfTheirCaller) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  if (CPU_COUNT(&before) < 2)
    GTEST_SKIP() << "one processor: there is none to keep a worker off";
  std::atomic<int> worker{0};
  auto join = [&](int index) {
    if (index == 1)
      worker = gettid();
    for (int n = 0; index == 0 && worker == 0 && n < 1000; ++n)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  onPool(2, join);
  ASSERT_NE(worker, 0);
  auto at = [&](int processor) { // the caller, who may leave it again before the job
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
  };
  std::vector<int> processors;
  for (int each = 0; each < CPU_SETSIZE; ++each)
    if (CPU_ISSET(each, &before))
      processors.push_back(each);
  std::set<int> seen;
  for (int round = 0; round < 200 && seen.size() < 2; ++round) {
    at(processors[size_t(round) % processors.size()]);
    std::this_thread::sleep_for(std::chrono::milliseconds(5)); // workers sleep
    int first = sched_getcpu();
    onPool(2, [](int) {});
    cpu_set_t now;
    if (first != sched_getcpu() || sched_getaffinity(worker, sizeof now, &now) != 0)
      continue;
    EXPECT_FALSE(CPU_ISSET(first, &now));
    EXPECT_EQ(CPU_COUNT(&now), CPU_COUNT(&before) - 1);
    seen.insert(first);
  }
  EXPECT_FALSE(seen.empty());
}

TEST(WorkerPool, JobsOfSeveralCallersAndJobsInsideJobs) {
  std::atomic<int64_t> sum{0};
  auto share = [&](int) {
    std::atomic<int> next{0};
    onPool(3, [&](int) {
      for (int n; (n = next.fetch_add(1)) < 100;)
        sum += n;
    });
  };
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&] {
      for (int time = 0; time < 50; ++time)
        onPool(1, share);
    });
  for (std::thread &each : callers)
    each.join();
  EXPECT_EQ(sum, 4 * 50 * 4950);
  sum = 0;
  onPool(4, [&](int index) { share(index); });
  EXPECT_EQ(sum % 4950, 0);
  EXPECT_GE(sum, 4950);
}

TEST(WorkerPool, AForkedChildHasItsOwn) {
  std::atomic<bool> stop{false};
  std::thread other([&] {
    while (!stop)
      onPool(3, [](int) {});
  });
  for (int n = 0; n < 20; ++n) {
    pid_t child = fork();
    if (child == 0) {
      alarm(20);
      std::atomic<int> inside{0};
      onPool(3, [&](int) {
        ++inside;
        while (inside < 3)
          std::this_thread::yield();
      });
      _exit(inside);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 3) << status;
  }
  stop = true;
  other.join();
}

TEST(Threads, HowMany) {
  int processors = availableThreads();
  unsetenv("OMP_NUM_THREADS");
  setOption(OptionId::Threads, std::nullopt);
  EXPECT_EQ(threadsOfLaunch(), processors);
  setenv("OMP_NUM_THREADS", "1,2", 1);
  EXPECT_EQ(threadsOfLaunch(), 1);
  setenv("OMP_NUM_THREADS", "100000", 1);
  EXPECT_EQ(threadsOfLaunch(), processors);
  setenv("OMP_NUM_THREADS", "many", 1);
  EXPECT_EQ(threadsOfLaunch(), processors);
  setOption(OptionId::Threads, "7");
  EXPECT_EQ(threadsOfLaunch(), 7);
  setOption(OptionId::Threads, std::nullopt);
  EXPECT_EQ(threadRuntime(), "own");
}

} // namespace
