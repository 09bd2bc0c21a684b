//===- DebuggerList.cpp - an empty list -----------------------------------------------------------------===//
#include "backends/cpu/orc/DebuggerList.h"

TrisectDebuggerList __jit_debug_descriptor = {1, 0, nullptr, nullptr};

/// A debugger's breakpoint lies here.
[[gnu::noinline]] void __jit_debug_register_code() { __asm__ volatile("" ::: "memory"); }
