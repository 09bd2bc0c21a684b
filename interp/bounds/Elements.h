//===- Elements.h - slots as lists of bits and back -----------------------------------------------------===//
//
// What: the elements of a slot in the bits of its type, and a block made from a list of ends. Limits: copies;
// only what is open goes this way.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_BOUNDS_ELEMENTS_H
#define TRISECT_INTERP_BOUNDS_ELEMENTS_H

#include "interp/bounds/Ends.h"
#include "interp/exec/Instance.h"

namespace trisect::interp {

/// The elements of a slot of the instruction, row-major.
std::vector<uint64_t> elementsOf(const Instance &s, const Instr &i, SlotId slot);
/// Operand `n` as ends: one element if it is the same everywhere, else all.
Ends operandEnds(const Instance &s, const Instr &i, unsigned n, const EndsPtr &open);
/// A block, or a scalar for a slot without dimensions, of the high ends or the low ones.
Value blockOf(Instance &s, SlotId slot, const Ends &list, bool high);
/// A block whose elements all have these bits.
Value filledBlock(Instance &s, SlotId slot, uint64_t bits);

} // namespace trisect::interp

#endif // TRISECT_INTERP_BOUNDS_ELEMENTS_H
