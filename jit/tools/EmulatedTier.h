//===- EmulatedTier.h - tier 2 in the emulator, under test ----------------------------------------------===//
//
// What: run tests in the emulator. Beside what the emulator finds by itself a launch fails if it reads a byte
// that tier 0 does not read, or writes one another number of times, and one way of running looks for races
// where the buffers overlap one another.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_TOOLS_EMULATEDTIER_H
#define TRISECT_JIT_TOOLS_EMULATEDTIER_H

#include "backends/cuda/emulate/EmulatedKernel.h"
#include "interp/tools/RunTest.h"

namespace trisect::tools {

/// Each run in the order of the threads and in `seeds` drawn ones; `warps` of a program. `change`: what is
/// done to the code.
TestedTier emulatedTier(unsigned seeds, unsigned warps, cuda::CodeChange change = {});

} // namespace trisect::tools

#endif // TRISECT_JIT_TOOLS_EMULATEDTIER_H
