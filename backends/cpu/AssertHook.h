//===- AssertHook.h - how compiled code reports a failed assertion --------------------------------------===//
//
// What: lies at the start of every thread's scratch memory. Compiled code calls `failed`, which does not
// return.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_ASSERTHOOK_H
#define TRISECT_BACKENDS_CPU_ASSERTHOOK_H

#include <cstdint>

namespace trisect::cpu {

struct AssertHook {
  void (*failed)(AssertHook *hook, int64_t assertion, int64_t value, int32_t x, int32_t y, int32_t z);
  void *context;
};
/// Bytes that the hook takes.
constexpr int64_t assertHookBytes = 64;
static_assert(sizeof(AssertHook) <= assertHookBytes);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_ASSERTHOOK_H
