//===- DebuggerEntry.h - a kernel that debuggers know of ------------------------------------------------===//
//
// What: tells a debugger that is or will be attached to this process of an object that has been loaded, by
// the interface that gdb and lldb watch for it; the handle takes it back. Why: breakpoints at lines of
// kernels. Limits: ELF objects of 64 bits; entered only if they have a table of lines, since a debugger reads
// every one.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_ORC_DEBUGGERENTRY_H
#define TRISECT_BACKENDS_CPU_ORC_DEBUGGERENTRY_H

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace trisect::cpu {

/// Where sections were loaded, by name.
using SectionAddresses = std::map<std::string, uint64_t, std::less<>>;

/// Whether an object has a table of lines.
bool hasLines(std::string_view object);

class DebuggerEntry {
public:
  DebuggerEntry(std::string_view object, const SectionAddresses &sections);
  ~DebuggerEntry();
  DebuggerEntry(const DebuggerEntry &) = delete;
  DebuggerEntry &operator=(const DebuggerEntry &) = delete;

private:
  struct Node;
  std::unique_ptr<Node> node;
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_ORC_DEBUGGERENTRY_H
