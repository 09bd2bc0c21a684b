//===- DebuggerList.cpp - an empty list -----------------------------------------------------------------===//
#include "backends/cpu/orc/DebuggerList.h"

namespace trisect::cpu {

DebuggerList debuggerList = {1, 0, nullptr, nullptr};

/// A debugger's breakpoint lies here.
[[gnu::noinline]] void debuggerListChanged() { __asm__ volatile("" ::: "memory"); }

} // namespace trisect::cpu
