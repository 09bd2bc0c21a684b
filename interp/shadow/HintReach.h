//===- HintReach.h - what a broken promise of an address leads to ---------------------------------------===//
//
// What: loads through addresses that a hint promised something of which does not hold.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_SHADOW_HINTREACH_H
#define TRISECT_INTERP_SHADOW_HINTREACH_H

#include "interp/shadow/Checker.h"

namespace trisect::interp {

/// Marks what is read through addresses that depend on a broken hint.
void mislead(const Taints &pointer, const Touch &t, TaintLanes &lanes);
/// Reports a promise of neighbours that leads a load out of its tensor, whatever becomes of what is read.
void checkReach(Travel &travel, const Touch &t);

} // namespace trisect::interp

#endif // TRISECT_INTERP_SHADOW_HINTREACH_H
