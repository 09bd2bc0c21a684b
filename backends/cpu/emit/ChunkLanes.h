//===- ChunkLanes.h - how many elements a round of a group's loop takes ---------------------------------===//
//
// What: the lanes of a group's chunks. Sixteen fill a register of the widest machine with 32-bit elements; a
// group that only moves and adds narrower ones takes as many as fill it with those, one with functions takes
// four registers where there are 32, else two, and one of f32 alone that divides long rows two. Why: half a
// register at a time, copies and stores past the caches (Streams.h) reach half the bandwidth; the steps of a
// function wait for each other, and those of the other registers run meanwhile, of which a processor does not
// see enough ahead (16 registers would go to the stack; eight at a time gain nothing); and quotients ask once
// for each chunk whether a reciprocal is enough (Quotients.cpp). Limits: reductions, exchanges, operands of
// products and what is no arithmetic keep sixteen lanes, to which their orders and their registers are cut.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_CHUNKLANES_H
#define TRISECT_BACKENDS_CPU_EMIT_CHUNKLANES_H

#include "backends/cpu/emit/Groups.h"

namespace trisect::cpu {

/// Lanes of a full chunk of the group: chunkLanes or more.
unsigned lanesOfChunks(const KernelState &state, const Group &group);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_CHUNKLANES_H
