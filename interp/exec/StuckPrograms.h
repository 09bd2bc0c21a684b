//===- StuckPrograms.h - where instances stand ----------------------------------------------------------===//
//
// What: finds the operation at which an instance waits or was stopped. Limits: not for several threads at
// once.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_EXEC_STUCKPROGRAMS_H
#define TRISECT_INTERP_EXEC_STUCKPROGRAMS_H

#include "core/support/StuckFault.h"
#include "interp/exec/Instance.h"

namespace trisect::interp {

class StuckPrograms : public StuckFault {
public:
  /// A program that waits for memory: the operation of its loop that reads says best what for.
  void addWaiting(const Instance &instance);
  /// A program that was stopped at a jump.
  void addRunning(const Instance &instance);

private:
  void addAt(const Instance &instance, const Instr &at, bool waits);
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_EXEC_STUCKPROGRAMS_H
