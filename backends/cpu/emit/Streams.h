//===- Streams.h - stores that go past the caches -------------------------------------------------------===//
//
// What: where a launch writes more than the caches hold (AssertHook::streams), whole chunks that lie on a
// boundary of their size go to memory by non-temporal stores. Why: other stores read each line first, only to
// write over it: a third of what an addition moves. Limits: kernels that read nothing of what they write, and
// loops without masks; how much a launch writes is told by the programs alone, not by loops in them.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_STREAMS_H
#define TRISECT_BACKENDS_CPU_EMIT_STREAMS_H

#include "backends/cpu/emit/Groups.h"

namespace trisect::cpu {

/// Before the loops of a group: 0 (i64) if its stores go past the caches; null if none ever does.
mlir::Value askForStreams(KernelState &state, const Group &group, unsigned lanes);
/// A store of all lanes, where `streams` tells how. False, and nothing is emitted, if the lanes do not follow
/// one another.
bool streamStore(Code &code, mlir::Value streams, const LaneValue &address, const LaneValue &value,
                 mlir::Type element, unsigned lanes);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_STREAMS_H
