//===- Touches.h - which bytes tier 0 touches -----------------------------------------------------------===//
//
// What: runs a launch in tier 0, away from the real memory, and counts the reads and writes of each byte;
// then tells whether another tier read a byte that tier 0 leaves alone, or wrote one oftener or less often.
// Why: a dropped mask or a second writer of the same value changes no result. Limits: nothing is known of
// launches that fault, or whose programs wait for one another.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_TOOLS_TOUCHES_H
#define TRISECT_JIT_TOOLS_TOUCHES_H

#include "backends/cuda/emulate/GlobalMemory.h"
#include "interp/tools/RunTest.h"
#include <optional>

namespace trisect::tools {

/// What a launch touches in tier 0, by the pieces of `GlobalMemory`.
std::optional<cuda::GlobalMemory> touchedByInterpreter(const TestLaunch &test, const LaunchRequest &request);

/// What `got` touched otherwise; empty if nothing. `inOrder`: programs ran in the order of tier 0. In
/// another, atomics change a byte more or less often.
std::string compareTouches(const cuda::GlobalMemory &got, const cuda::GlobalMemory &wanted, bool inOrder);

} // namespace trisect::tools

#endif // TRISECT_JIT_TOOLS_TOUCHES_H
