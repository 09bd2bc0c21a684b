//===- Control.h - opcodes that move the program counter ------------------------------------------------===//
//
// What: the handlers of control flow and of moves between slots, which belong to the step loop.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_EXEC_CONTROL_H
#define TRISECT_INTERP_EXEC_CONTROL_H

#include "interp/exec/Instance.h"

namespace trisect::interp {

void nop(Instance &s, const Instr &i);
void jump(Instance &s, const Instr &i);
void branch(Instance &s, const Instr &i);
void forTest(Instance &s, const Instr &i);
void forNext(Instance &s, const Instr &i);
void move(Instance &s, const Instr &i);
void finish(Instance &s, const Instr &i);
void regionEnd(Instance &s, const Instr &i);

} // namespace trisect::interp

#endif // TRISECT_INTERP_EXEC_CONTROL_H
