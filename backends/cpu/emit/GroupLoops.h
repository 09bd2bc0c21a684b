//===- GroupLoops.h - the loop nest of a fusion group ---------------------------------------------------===//
//
// What: emits a closed group: loops over its iteration space, the innermost over chunks of lanes, and in each
// chunk the actions in order. Where masks allow it, the nest is made twice: without masks if all lanes are
// on, else with.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_GROUPLOOPS_H
#define TRISECT_BACKENDS_CPU_EMIT_GROUPLOOPS_H

#include "backends/cpu/emit/Groups.h"
#include "backends/cpu/emit/Widenings.h"

namespace trisect::cpu {

/// Lanes of a full chunk.
constexpr unsigned chunkLanes = 16;
/// Chunks of a reducing loop's step: lane i joins accumulator i mod 64, as in tier 0.
constexpr unsigned reduceChunks = 4;

/// `kept` are the results that live on in buffers. Reductions put scalars or buffers into `state` themselves.
void emitGroup(KernelState &state, const Group &group, llvm::ArrayRef<std::pair<mlir::Value, Buffer>> kept);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_GROUPLOOPS_H
