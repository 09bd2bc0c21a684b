//===- StuckFault.h - programs that a launch ended without ----------------------------------------------===//
//
// What: collects where programs stood when no schedule could end their wait, or when the time of the launch
// was over, and makes the fault that says so. Why: tiers that run programs in turn say it in the same words.
// Limits: not for several threads at once.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_STUCKFAULT_H
#define TRISECT_CORE_SUPPORT_STUCKFAULT_H

#include "core/support/Outcome.h"

namespace trisect {

struct StuckProgram {
  int64_t linear;
  std::array<int32_t, 3> id;
  SourcePosition position;
  bool waits; ///< else it was running
};

class StuckFault {
public:
  void add(StuckProgram program) { programs.push_back(std::move(program)); }
  bool empty() const { return programs.empty(); }

  KernelFault deadlock(const std::string &kernel);
  KernelFault timeout(const std::string &kernel, int64_t seconds, int64_t finished, int64_t total);

private:
  Fault fault(const std::string &kernel, const std::string &headline);

  std::vector<StuckProgram> programs;
};

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_STUCKFAULT_H
