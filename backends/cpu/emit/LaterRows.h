//===- LaterRows.h - what a reduction of rows asks for ahead --------------------------------------------===//
//
// What: of a group that reduces rows, the loads of which later rows are asked for, and how.
// Limits: groups over one dimension; for columns see AxisReduction.cpp.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_LATERROWS_H
#define TRISECT_BACKENDS_CPU_EMIT_LATERROWS_H

#include "backends/cpu/emit/Groups.h"
#include "backends/cpu/emit/Widenings.h"

namespace trisect::cpu {

/// The loads of a group that is emitted now of which later rows are asked for (plan/Upcoming.h).
OpSet laterRows(KernelState &state, const Group &group, unsigned lanes);
/// Once a step, where `address` is that of its first chunk.
void askForLaterRow(Code &code, const LaneValue &address, mlir::Type element);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_LATERROWS_H
