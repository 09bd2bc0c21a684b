//===- Memory.h - loads and stores of one chunk ---------------------------------------------------------===//
//
// What: reads or writes the lanes of a chunk at addresses that may be one, evenly spaced or arbitrary: a
// scalar access, a vector access, or a gather that first looks whether its lanes happen to be contiguous.
// Limits: a lane whose mask is false touches no memory.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_MEMORY_H
#define TRISECT_BACKENDS_CPU_EMIT_MEMORY_H

#include "backends/cpu/emit/LaneValue.h"

namespace trisect::cpu {

/// An optional mask (empty: all lanes) and the value of lanes that it turns off (empty: zero).
struct MemoryMask {
  LaneValue condition;
  LaneValue other;
};

/// `element` is the TTIR element type; `alignment` in bytes, 0 for the element's own.
LaneValue loadLanes(Code &code, const LaneValue &address, mlir::Type element, const MemoryMask &mask,
                    unsigned lanes, unsigned alignment = 0);
void storeLanes(Code &code, const LaneValue &address, const LaneValue &value, mlir::Type element,
                const LaneValue &mask, unsigned lanes, unsigned alignment = 0);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_MEMORY_H
