//===- KeptRegisters.h - a hook that changes no register ------------------------------------------------===//
//
// What: untriedPath() behind a wall that puts every register back, numbers and masks included, but not flags.
// Why: compiled code has such a call before each path, and a call that may change registers makes the
// allocator keep whatever lives across it in memory, in several ways: a fifth of the time to compile. On
// x86-64 it is no function of C: hook and number lie on the stack, pushed in that order, and it takes them
// off. Limits: the registers that AVX-512 knows; those of tiles are not used here.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_LAUNCH_KEPTREGISTERS_H
#define TRISECT_BACKENDS_CPU_LAUNCH_KEPTREGISTERS_H

#include "backends/cpu/AssertHook.h"

namespace trisect::cpu {

/// For AssertHook::untried.
using Untried = decltype(AssertHook::untried);
Untried untriedKeepingRegisters();

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_LAUNCH_KEPTREGISTERS_H
