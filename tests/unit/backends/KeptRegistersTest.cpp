//===- KeptRegistersTest.cpp - registers around a call of a hook ----------------------------------------===//
#include "backends/cpu/launch/KeptRegisters.h"
#include "backends/cpu/launch/Failure.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace trisect::cpu {
namespace {

// As compiled code calls it, beyond what this function may keep below its stack.
void come(AssertHook &hook, int64_t path) {
#ifdef __x86_64__
  asm volatile("lea -128(%%rsp), %%rsp\n\t"
               "push %0\n\tpush %1\n\tcall *%2\n\t"
               "lea 128(%%rsp), %%rsp"
               :
               : "r"(&hook), "r"(path), "r"(hook.untried)
               : "memory");
#else
  hook.untried(&hook, path);
#endif
}

class KeptRegistersTest : public testing::Test {
protected:
  KeptRegistersTest() {
    failure.watch = &watch;
    hook.context = &failure;
    hook.untried = untriedKeepingRegisters();
    hook.program = 12;
  }

  PathWatch watch{~PathSet(), {}};
  Failure failure;
  AssertHook hook = {};
};

TEST_F(KeptRegistersTest, TheHookIsCalled) {
  come(hook, 5);
  std::vector<PathWatch::Taken> taken = watch.taken();
  ASSERT_EQ(taken.size(), 1U);
  EXPECT_EQ(taken[0].path, 5U);
  EXPECT_EQ(taken[0].program, 12);
}

TEST_F(KeptRegistersTest, TheLaunchCanBeLeft) {
  PathWatch stopping{~PathSet(), ~PathSet()};
  failure.watch = &stopping;
  if (setjmp(failure.back) == 0) {
    come(hook, 3);
    FAIL() << "the hook came back";
  }
  EXPECT_TRUE(failure.atPath);
  EXPECT_EQ(failure.program, 12);
}

#ifdef __x86_64__
// All that a function may change otherwise, but for what holds its arguments.
TEST_F(KeptRegistersTest, AllComeBack) {
  uint64_t before[7] = {1, 2, 3, 4, 5, 6, 7}, after[7] = {};
  float vectors[16][4], vectorsAfter[16][4] = {};
  std::iota(&vectors[0][0], &vectors[0][0] + 64, 1.0F);
  // The stack holds all bases: there is no register left to.
  const void *places[] = {before, vectors, reinterpret_cast<const void *>(hook.untried), after, vectorsAfter};
  int64_t path = 9;
  AssertHook *given = &hook;
  asm volatile("lea -128(%%rsp), %%rsp\n\t"
               "mov 8(%%rbx), %%rax\n\t"
               ".set n, 0\n\t"
               ".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n\t"
               "movups n(%%rax), %%xmm\\r\n\t"
               ".set n, n + 16\n\t"
               ".endr\n\t"
               "mov (%%rbx), %%r12\n\t"
               "mov (%%r12), %%rax\n\tmov 8(%%r12), %%rcx\n\tmov 16(%%r12), %%rdx\n\tmov 24(%%r12), %%r8\n\t"
               "mov 32(%%r12), %%r9\n\tmov 40(%%r12), %%r10\n\tmov 48(%%r12), %%r11\n\t"
               "push %%rdi\n\tpush %%rsi\n\t"
               "call *16(%%rbx)\n\t"
               "mov 24(%%rbx), %%r12\n\t"
               "mov %%rax, (%%r12)\n\tmov %%rcx, 8(%%r12)\n\tmov %%rdx, 16(%%r12)\n\tmov %%r8, 24(%%r12)\n\t"
               "mov %%r9, 32(%%r12)\n\tmov %%r10, 40(%%r12)\n\tmov %%r11, 48(%%r12)\n\t"
               "mov 32(%%rbx), %%rax\n\t"
               ".set n, 0\n\t"
               ".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n\t"
               "movups %%xmm\\r, n(%%rax)\n\t"
               ".set n, n + 16\n\t"
               ".endr\n\t"
               "lea 128(%%rsp), %%rsp"
               : "+D"(given), "+S"(path)
               : "b"(places)
               : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "memory", "cc", "xmm0", "xmm1", "xmm2",
                 "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
                 "xmm14", "xmm15");
  EXPECT_EQ(given, &hook);
  EXPECT_EQ(path, 9);
  EXPECT_TRUE(std::equal(before, before + 7, after));
  EXPECT_TRUE(std::equal(&vectors[0][0], &vectors[0][0] + 64, &vectorsAfter[0][0]));
  EXPECT_EQ(watch.taken().size(), 1U);
}
#endif

} // namespace
} // namespace trisect::cpu
