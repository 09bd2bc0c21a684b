//===- LateStores.h - stores that wait for the loads of several chunks ----------------------------------===//
//
// What: a group that moves elements with little arithmetic loads several chunks before it stores any of them.
// Why: a load waits for an earlier store whose address ends in the same twelve bits. Tensors that are made
// one after the other lie so: the store of a chunk stands in the way of the next one's load, and an addition
// in the caches takes up to half as long again. Limits: groups of one loop that keep nothing, load nothing
// after a store, and wait for nobody.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_LATESTORES_H
#define TRISECT_BACKENDS_CPU_EMIT_LATESTORES_H

#include "backends/cpu/emit/Groups.h"

namespace trisect::cpu {

/// Chunks of a round of such a group.
constexpr unsigned movedChunks = 4;
/// True for a group of several rounds whose stores may wait for the loads of later chunks, and gain by it.
bool movesElements(const KernelState &state, const Group &group, unsigned lanes);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_LATESTORES_H
