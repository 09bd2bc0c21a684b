//===- EmulatedTier.h - tier 2 in the emulator, under test ----------------------------------------------===//
#ifndef TRISECT_JIT_TOOLS_EMULATEDTIER_H
#define TRISECT_JIT_TOOLS_EMULATEDTIER_H

#include "interp/tools/RunTest.h"

namespace trisect::tools {

/// Each run in the order of the threads and in `seeds` drawn ones; `warps` of a program.
TestedTier emulatedTier(unsigned seeds, unsigned warps);

} // namespace trisect::tools

#endif // TRISECT_JIT_TOOLS_EMULATEDTIER_H
