//===- AtomicBlock.h - read-modify-write of a block with the machine's instructions ---------------------===//
//
// What: the common kinds of atomics over a list of addresses, without a call per lane: the integer kinds and
// the float kinds of 32 and 64 bits. Why: a histogram that ends in an atomic sum spends most of its time
// here. Limits: direct mode only; AtomicCell does every kind and type, and is what this is tested against.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_OPS_ATOMICBLOCK_H
#define TRISECT_INTERP_OPS_ATOMICBLOCK_H

#include "core/support/DType.h"
#include "interp/program/Program.h"

namespace trisect::interp {

/// Lanes in ascending order: old[lane] = cell, cell = kind(cell, value). An inactive lane (mask[lane] == 0)
/// gives old[lane] = 0 and touches nothing. A null mask means all. Sets `writes` to the number of cells
/// whose bits changed.
using AtomicBlockFn = void (*)(const uint64_t *addresses, const uint8_t *mask, const void *values, void *old,
                               int64_t count, uint64_t &writes);

/// Null if the kind on this type has no such form.
AtomicBlockFn atomicBlock(AtomicKind kind, DType type);

} // namespace trisect::interp

#endif // TRISECT_INTERP_OPS_ATOMICBLOCK_H
