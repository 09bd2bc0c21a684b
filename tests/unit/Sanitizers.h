//===- Sanitizers.h - which sanitizer watches this build ------------------------------------------------===//
//
// What: names the sanitizer, so that a test that it cannot run is skipped with a reason.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_UNIT_SANITIZERS_H
#define TRISECT_TESTS_UNIT_SANITIZERS_H

#include <gtest/gtest.h>

namespace trisect {

#if defined(__has_feature)
constexpr bool underAsan = __has_feature(address_sanitizer), underTsan = __has_feature(thread_sanitizer);
#else
constexpr bool underAsan = false, underTsan = false;
#endif

} // namespace trisect

/// Skips a test that touches memory which is not there. ThreadSanitizer looks up its own memory for an
/// address before it is touched, and breaks off there; signals it hands on later.
#define TRISECT_NEEDS_WILD_ACCESS                                                                            \
  if (trisect::underTsan)                                                                                    \
  GTEST_SKIP() << "no wild accesses and no signals in time under ThreadSanitizer"

/// Skips a test that runs many fibres (backends/common/Fiber.h): ThreadSanitizer takes them for one stack,
/// which becomes longer than it can note.
#define TRISECT_NEEDS_FIBERS                                                                                 \
  if (trisect::underTsan)                                                                                    \
  GTEST_SKIP() << "no fibres under ThreadSanitizer"

#endif // TRISECT_TESTS_UNIT_SANITIZERS_H
