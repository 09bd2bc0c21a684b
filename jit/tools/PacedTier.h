//===- PacedTier.h - a compiled tier beside tier 0, by the clock ----------------------------------------===//
//
// What: runs the files of tests/ops on a compiled tier of the host and tells for every run how long a warm
// launch takes in tier 0 and in that tier. Why: compiled code must not be slower (bench/promoted.py). Limits:
// one thread, and its processor time; what a launch prints is printed each time; runs that end in a fault
// are not timed.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_TOOLS_PACEDTIER_H
#define TRISECT_JIT_TOOLS_PACEDTIER_H

#include "interp/tools/RunTest.h"

namespace trisect::tools {

/// Prints a line for each run, `paced KERNEL` and nanoseconds: the quartiles of tier 0, then of the tier.
/// Throws as placeOf does.
TestedTier pacedTier(const std::string &name);

} // namespace trisect::tools

#endif // TRISECT_JIT_TOOLS_PACEDTIER_H
