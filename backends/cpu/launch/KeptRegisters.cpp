//===- KeptRegisters.cpp - by the instructions that systems switch threads with ------------------------===//
#include "backends/cpu/launch/KeptRegisters.h"
#include "backends/cpu/launch/Failure.h"
#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace trisect::cpu {

#ifdef __x86_64__

extern "C" __attribute__((visibility("hidden"), used)) void trisectUntriedPath(AssertHook *hook,
                                                                               int64_t path) {
  untriedPath(hook, path);
}

// A caller's rsp lies in rbp, so that debuggers find their way. XSAVE writes the first word of its header
// alone, and XRSTOR refuses a header that is not zero behind it. Room: 512 bytes, the header, and registers
// up to those of AVX-512 (at 2688 they end on every processor so far).
#define TRISECT_KEEP_REGISTERS(save, restore)                                                                \
  asm volatile("push %rbp\n\t"                                                                               \
               ".cfi_def_cfa_offset 16\n\t"                                                                  \
               ".cfi_offset %rbp, -16\n\t"                                                                   \
               "mov %rsp, %rbp\n\t"                                                                          \
               ".cfi_def_cfa_register %rbp\n\t"                                                              \
               "push %rax\n\t"                                                                               \
               "push %rcx\n\t"                                                                               \
               "push %rdx\n\t"                                                                               \
               "push %rsi\n\t"                                                                               \
               "push %rdi\n\t"                                                                               \
               "push %r8\n\t"                                                                                \
               "push %r9\n\t"                                                                                \
               "push %r10\n\t"                                                                               \
               "push %r11\n\t"                                                                               \
               "mov 16(%rbp), %rsi\n\t"                                                                      \
               "mov 24(%rbp), %rdi\n\t"                                                                      \
               "sub $4096, %rsp\n\t"                                                                         \
               "and $-64, %rsp\n\t" save "call trisectUntriedPath\n\t" restore "lea -72(%rbp), %rsp\n\t"     \
               "pop %r11\n\t"                                                                                \
               "pop %r10\n\t"                                                                                \
               "pop %r9\n\t"                                                                                 \
               "pop %r8\n\t"                                                                                 \
               "pop %rdi\n\t"                                                                                \
               "pop %rsi\n\t"                                                                                \
               "pop %rdx\n\t"                                                                                \
               "pop %rcx\n\t"                                                                                \
               "pop %rax\n\t"                                                                                \
               "pop %rbp\n\t"                                                                                \
               ".cfi_def_cfa %rsp, 8\n\t"                                                                    \
               "ret $16")
// SSE, AVX, masks, and both parts that AVX-512 adds.
#define TRISECT_VECTOR_REGISTERS "mov $0xe6, %eax\n\txor %edx, %edx\n\t"

[[gnu::naked]] static void keepAll(AssertHook *, int64_t) {
  TRISECT_KEEP_REGISTERS("xor %eax, %eax\n\t"
                         "mov %rax, 512(%rsp)\n\t"
                         "mov %rax, 520(%rsp)\n\t"
                         "mov %rax, 528(%rsp)\n\t"
                         "mov %rax, 536(%rsp)\n\t"
                         "mov %rax, 544(%rsp)\n\t"
                         "mov %rax, 552(%rsp)\n\t"
                         "mov %rax, 560(%rsp)\n\t"
                         "mov %rax, 568(%rsp)\n\t" TRISECT_VECTOR_REGISTERS "xsave64 (%rsp)\n\t",
                         TRISECT_VECTOR_REGISTERS "xrstor64 (%rsp)\n\t");
}

[[gnu::naked]] static void keepOld(AssertHook *, int64_t) {
  TRISECT_KEEP_REGISTERS("fxsave64 (%rsp)\n\t", "fxrstor64 (%rsp)\n\t");
}

Untried untriedKeepingRegisters() {
  static const bool systemKnowsAll = [] {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_OSXSAVE);
  }();
  return systemKnowsAll ? keepAll : keepOld;
}

#else

// Compiled code of other processors takes it for any call.
Untried untriedKeepingRegisters() { return untriedPath; }

#endif

} // namespace trisect::cpu
