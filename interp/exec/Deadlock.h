//===- Deadlock.h - programs that wait for nobody -------------------------------------------------------===//
//
// What: where a waiting program stands, and the fault that tells of all of them.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_EXEC_DEADLOCK_H
#define TRISECT_INTERP_EXEC_DEADLOCK_H

#include "interp/exec/Instance.h"

namespace trisect::interp {

struct StuckProgram {
  int64_t linear;
  int32_t id[3];
  SourcePosition position;
};

/// The memory operation of the loop that it stands in says best what it waits for.
StuckProgram stuckAt(const Instance &instance);
KernelFault deadlockFault(const Program &program, std::vector<StuckProgram> stuck);

} // namespace trisect::interp

#endif // TRISECT_INTERP_EXEC_DEADLOCK_H
