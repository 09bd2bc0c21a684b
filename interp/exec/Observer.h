//===- Observer.h - looking at a program while it runs --------------------------------------------------===//
//
// What: called before and after each instruction of a program instance. Groups then run member by member, so
// that every intermediate block exists. Why: trace, probe, breakpoints and stepping ride on the step loop.
// Limits: must not change slots.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_EXEC_OBSERVER_H
#define TRISECT_INTERP_EXEC_OBSERVER_H

#include "interp/exec/Instance.h"

namespace trisect::interp {

class Observer {
public:
  virtual ~Observer() = default;
  virtual void before(Instance &, const Instr &) {}
  virtual void after(Instance &, const Instr &) {}
};

/// Called where a statement of the source begins, in programs that know their statements.
class StatementHook {
public:
  virtual ~StatementHook() = default;
  /// True makes the instance stop before the statement.
  virtual bool reached(Instance &instance, uint32_t statement) = 0;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_EXEC_OBSERVER_H
