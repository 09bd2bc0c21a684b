//===- Decide.h - where a taint becomes a defect --------------------------------------------------------===//
//
// What: a tainted element matters where it decides something: a stored byte, a branch, an address, a mask, a
// trip count. A wrapped one matters where it reaches a live address, an index or a mask.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_SHADOW_DECIDE_H
#define TRISECT_INTERP_SHADOW_DECIDE_H

#include "interp/ops/AccessLanes.h"
#include "interp/shadow/Report.h"

namespace trisect::interp {

/// Reports if an element of operand `n` is tainted: undefined ones, or those that wrapped. `what`: what it
/// decides.
void decides(Travel &travel, const Instr &i, unsigned n, const char *what, bool wrapped = false);
/// The same for live lanes; `wrapped`: those count too.
void decidesLanes(Travel &travel, const Instr &i, unsigned n, const Access &active, const char *what,
                  bool wrapped);
void checkMask(Travel &travel, const Instr &i, unsigned n, const Access &active, const char *what);
void reportTaint(Travel &travel, const Instr &i, Taint taint, SlotId slot, const Shape &shape,
                 FaultyLanes lanes, const char *what);
/// `used`: how the instruction goes by the hint that gave birth to the taint.
void reportHint(Travel &travel, const Instr &i, Taint taint, std::string used);

} // namespace trisect::interp

#endif // TRISECT_INTERP_SHADOW_DECIDE_H
