//===- Streams.h - stores that go past the caches -------------------------------------------------------===//
//
// What: where a launch writes more than the caches hold (AssertHook::streams), whole chunks that lie on a
// boundary of their size go to memory by non-temporal stores. Why: other stores read each line first, only to
// write over it: a third of what an addition moves. Limits: kernels that read nothing of what they write, and
// loops without masks; how much a launch writes is told by its programs and the rounds of loops in them
// (plan/Rounds.h).
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_STREAMS_H
#define TRISECT_BACKENDS_CPU_EMIT_STREAMS_H

#include "backends/cpu/emit/Groups.h"

namespace trisect::cpu {

/// Before the loops of a group: 0 (i64) if its stores go past the caches; null if none ever does. `marked`:
/// the answer alone is a choice between two paths.
mlir::Value askForStreams(KernelState &state, const Group &group, unsigned lanes, bool marked);
/// A store of a chunk; no mask: of all lanes.
struct ChunkStore {
  LaneValue address, value, mask;
  mlir::Type element;
};

/// Whether all of them go past the caches, where `streams` tells if any does; null if the lanes of one do not
/// follow one another or have a mask.
mlir::Value pastCaches(Code &code, mlir::Value streams, llvm::ArrayRef<ChunkStore> stores, unsigned lanes);
void storePastCaches(Code &code, const ChunkStore &store, unsigned lanes);
/// A store that goes where `streams` tells; null: through the caches.
void storeChunk(Code &code, mlir::Value streams, const ChunkStore &store, unsigned lanes);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_STREAMS_H
