//===- AssertHook.h - how compiled code reports a failed assertion --------------------------------------===//
//
// What: lies at the start of every thread's scratch memory. Compiled code calls `failed`, which does not
// return.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_ASSERTHOOK_H
#define TRISECT_BACKENDS_CPU_ASSERTHOOK_H

#include "core/support/Outcome.h"
#include <cstdint>
#include <string>

namespace trisect::cpu {

struct AssertHook {
  void (*failed)(AssertHook *hook, int64_t assertion, int64_t value, int32_t x, int32_t y, int32_t z);
  void *context;
};
/// Bytes that the hook takes.
constexpr int64_t assertHookBytes = 64;
static_assert(sizeof(AssertHook) <= assertHookBytes);

enum class AssertionKind : uint8_t {
  User,     ///< tt.assert
  LoopStep, ///< a loop starts with the step `value`, which is below 1
};

/// An assertion of a kernel, by its number in compiled code.
struct Assertion {
  AssertionKind kind = AssertionKind::User;
  std::string message;
  SourcePosition position;
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_ASSERTHOOK_H
