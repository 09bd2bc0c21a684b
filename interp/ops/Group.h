//===- Group.h - elementwise code strip by strip --------------------------------------------------------===//
//
// What: runs a row of elementwise instructions, loads and stores over blocks of one size: what has structure
// symbolically, the rest strip by strip, so that intermediate elements stay in the first-level cache.
// Why: a block of 16,384 elements would otherwise travel through memory at each instruction.
// Limits: loads and stores of one group run strip by strip only where a check of their addresses shows that
// the order makes no difference; otherwise the group is cut in two at run time.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_OPS_GROUP_H
#define TRISECT_INTERP_OPS_GROUP_H

#include "interp/exec/Instance.h"

namespace trisect::interp {

/// Most members of a group.
constexpr int maxGroup = 48;

/// Runs the instructions [first, last): Elementwise, Load and Store of one number of elements.
void runGroup(Instance &instance, const Instr *first, const Instr *last);

} // namespace trisect::interp

#endif // TRISECT_INTERP_OPS_GROUP_H
