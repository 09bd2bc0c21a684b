//===- LaterRows.h - what a reduction of rows asks for ahead --------------------------------------------===//
//
// What: of a group that reduces rows, the loads of which later rows are asked for, and how.
// Limits: groups over one dimension; for columns see AxisReduction.cpp.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_LATERROWS_H
#define TRISECT_BACKENDS_CPU_EMIT_LATERROWS_H

#include "backends/cpu/emit/Groups.h"

namespace trisect::cpu {

/// The loads of a group that is emitted now of which later rows are asked for (plan/Upcoming.h).
llvm::SmallVector<tt::LoadOp, 1> laterRows(KernelState &state, const Group &group, unsigned lanes);
/// Before the loop over a row of that many elements, where `address` is that of its first chunk.
void askForLaterRow(KernelState &state, const LaneValue &address, mlir::Type element, int64_t length);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_LATERROWS_H
