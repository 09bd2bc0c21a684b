//===- Excuse.h - why a difference proves nothing -------------------------------------------------------===//
//
// What: looks for what the semantics leave open: undefined values, lanes of one store that conflict, hints
// that do not hold, ops that may round otherwise, the time of day. Why: *different* accuses the compiler; it
// must never be said of a kernel that has no one right answer.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_CHECK_EXCUSE_H
#define TRISECT_JIT_CHECK_EXCUSE_H

#include "backends/target/Memory.h"
#include "jit/check/Ground.h"
#include "jit/reference/InterpExecutable.h"
#include <string>

namespace trisect::jit {

/// The excuse for a difference in `programs`; empty if there is none. `sameOrder`: both tiers ran them one
/// after the other. Tier 0 runs on the ground, which lies in `memory`, if that is a copy; the ground is
/// restored before and after.
std::string excuseFor(const Kernel &kernel, const InterpExecutable &reference, ProgramRange programs,
                      Ground &ground, MemorySpace &memory, bool sameOrder);

} // namespace trisect::jit

#endif // TRISECT_JIT_CHECK_EXCUSE_H
