//===- StuckPrograms.h - programs that a launch ended without -------------------------------------------===//
//
// What: collects where programs stood when no schedule could end their wait, or when the time of the launch
// was over, and makes the fault that says so. Limits: not for several threads at once.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_EXEC_STUCKPROGRAMS_H
#define TRISECT_INTERP_EXEC_STUCKPROGRAMS_H

#include "interp/exec/Instance.h"

namespace trisect::interp {

class StuckPrograms {
public:
  /// A program that waits for memory: the operation of its loop that reads says best what for.
  void addWaiting(const Instance &instance);
  /// A program that was stopped at a jump.
  void addRunning(const Instance &instance);
  bool empty() const { return entries.empty(); }

  KernelFault deadlock(const std::string &kernel);
  KernelFault timeout(const std::string &kernel, int64_t seconds, int64_t finished, int64_t total);

private:
  struct Entry {
    int64_t linear;
    int32_t id[3];
    SourcePosition position;
    bool waits;
  };
  void add(const Instance &instance, const Instr &at, bool waits);
  Fault fault(const std::string &kernel, const std::string &headline);

  std::vector<Entry> entries;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_EXEC_STUCKPROGRAMS_H
