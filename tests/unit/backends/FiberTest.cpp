//===- FiberTest.cpp - stacks that are too short --------------------------------------------------------===//
#include "backends/common/Fiber.h"
#include "core/support/MemoryGuard.h"
#include "tests/unit/Sanitizers.h"
#include <csignal>
#include <gtest/gtest.h>
#include <thread>

namespace trisect {
namespace {

// Uses `depth` times 1 KiB of stack, of which every page is touched.
[[gnu::noinline]] int deep(int depth) {
  volatile char room[1024];
  room[0] = static_cast<char>(depth);
  room[1023] = room[0];
  return depth == 0 ? room[0] : deep(depth - 1) + room[1023];
}

void goDeep(void *depth) { *static_cast<int *>(depth) = deep(*static_cast<int *>(depth)); }

std::optional<WildAccess> run(Fiber &fiber) {
  installMemoryGuard();
  return guarded([&] { fiber.resume(); });
}

TEST(FiberTest, AStackThatIsTooShortEndsTheWorkAndIsNamed) {
  if (underAsan || underTsan)
    GTEST_SKIP() << "the sanitizer keeps stacks of its own";
  StackPool pool(4);
  Fiber before(pool, goDeep, nullptr); // its stack may lie below
  for (int round = 0; round < 3; ++round) {
    int depth = 1 << 16;
    Fiber fiber(pool, goDeep, &depth);
    std::optional<WildAccess> wild = run(fiber);
    ASSERT_TRUE(wild && wild->address);
    EXPECT_TRUE(wild->write);
    EXPECT_TRUE(fiber.overflowedAt(*wild->address));
    EXPECT_FALSE(before.overflowedAt(*wild->address));
    EXPECT_FALSE(fiber.done());
  }
}

TEST(FiberTest, AllOfAStackMayBeUsed) {
  StackPool pool(4);
  int depth = static_cast<int>(StackPool::bytes * 3 / 4 / 1200);
  Fiber fiber(pool, goDeep, &depth);
  EXPECT_FALSE(run(fiber));
  EXPECT_TRUE(fiber.done());
}

TEST(FiberTest, WildAccessesElsewhereAreNoOverflow) {
  StackPool pool(4);
  Fiber fiber(pool, [](void *) { *reinterpret_cast<volatile int *>(0x1000) = 1; }, nullptr);
  if (underAsan || underTsan)
    GTEST_SKIP() << "the sanitizer reports it";
  std::optional<WildAccess> wild = run(fiber);
  ASSERT_TRUE(wild && wild->address);
  EXPECT_FALSE(fiber.overflowedAt(*wild->address));
}

TEST(FiberTest, TheHandlersStackGoesWithThePool) {
  std::thread([] {
    auto disabled = [] {
      stack_t now = {};
      sigaltstack(nullptr, &now);
      return (now.ss_flags & SS_DISABLE) != 0;
    };
    bool before = disabled();
    {
      StackPool pool(1);
      EXPECT_FALSE(disabled());
    }
    EXPECT_EQ(disabled(), before);
  }).join();
}

} // namespace
} // namespace trisect
