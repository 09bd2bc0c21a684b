//===- Accesses.h - an access before it happens ---------------------------------------------------------===//
//
// What: shows an access to all checkers, and leaves out of it what they found at fault.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_SHADOW_ACCESSES_H
#define TRISECT_INTERP_SHADOW_ACCESSES_H

#include "interp/shadow/Checker.h"

namespace trisect::interp {

// What a taint decides.
inline constexpr const char *storedByte = "a stored byte";
inline constexpr const char *addressTaken = "an address";
inline constexpr const char *liveLanes = "which lanes are live";

/// All checks of one access; false if some lane must not happen.
bool touch(Travel &travel, Touch &t);
/// The lanes of a read that give nothing to rely on.
void read(Travel &travel, const Touch &t, TaintLanes &lanes);
/// Lanes that are live have nothing of `taint`.
void setLive(const Access &access, TaintLanes &lanes, Taint taint);

} // namespace trisect::interp

#endif // TRISECT_INTERP_SHADOW_ACCESSES_H
