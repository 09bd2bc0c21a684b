//===- OldBytesTest.cpp - launches that are left while bytes are kept -----------------------------------===//
//
// A program of its own: allocations of this one ask for an interruption. The linker sees to that, since
// sanitizers bring an operator new of their own.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/launch/OldBytes.h"
#include "core/support/MemoryGuard.h"
#include <cstddef>
#include <gtest/gtest.h>

namespace {
bool interrupts = false;         ///< each allocation meets a signal
volatile int allocating = 0;     ///< allocations that have begun and not ended
volatile int allocatedSince = 0; ///< that ended
int owner = 0;
} // namespace

extern "C" {
void *realNew(std::size_t bytes) asm("__real__Znwm");
void *wrappedNew(std::size_t bytes) asm("__wrap__Znwm");
void *wrappedNew(std::size_t bytes) {
  allocating = allocating + 1;
  if (interrupts)
    trisect::interruptGuarded(&owner);
  void *memory = realNew(bytes);
  allocating = allocating - 1;
  allocatedSince = allocatedSince + 1;
  return memory;
}
}

namespace trisect::cpu {
namespace {

TEST(OldBytesTest, NobodyLeavesAnAllocation) {
  installMemoryGuard();
  char written[64] = {};
  bool cameBack = false;
  {
    OldBytes old;
    AssertHook hook = {};
    hook.old = &old;
    GuardedEnd end = guardedUntil([](void *) { return true; }, &owner,
                                  [&] {
                                    interrupts = true;
                                    OldBytes::keep(&hook, written, 1, ~uint64_t(0));
                                    cameBack = true;
                                  });
    interrupts = false;
    EXPECT_TRUE(end.left);
  }
  EXPECT_FALSE(cameBack);
  EXPECT_GT(allocatedSince, 0);
  EXPECT_EQ(allocating, 0);
}

} // namespace
} // namespace trisect::cpu
