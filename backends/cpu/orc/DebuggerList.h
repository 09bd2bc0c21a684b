//===- DebuggerList.h - the list of loaded objects that gdb and lldb read -------------------------------===//
//
// What: a list, and a function that is called when it has changed. Names, layout and version are gdb's ("JIT
// compilation interface"). Why: a debugger looks for both names in every library of a process. Limits:
// whoever changes the list holds a lock of its own (DebuggerEntry.cpp).
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_ORC_DEBUGGERLIST_H
#define TRISECT_BACKENDS_CPU_ORC_DEBUGGERLIST_H

#include <cstdint>

namespace trisect::cpu {

struct DebuggerNode {
  DebuggerNode *next, *before;
  const char *object;
  uint64_t bytes;
};

struct DebuggerList {
  uint32_t version, action;
  DebuggerNode *changed, *first;
};

// Protected: LLVM in the same process has a list under the same names, and a function that belongs to another
// list tells a debugger nothing of this one.
[[gnu::visibility("protected")]] extern DebuggerList debuggerList __asm__("__jit_debug_descriptor");
[[gnu::visibility("protected")]] void debuggerListChanged() __asm__("__jit_debug_register_code");

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_ORC_DEBUGGERLIST_H
