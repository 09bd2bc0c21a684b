//===- Elements.h - all elements of a value -------------------------------------------------------------===//
//
// What: the elements of a value in row-major order, in place or in memory that the caller keeps.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_SHADOW_ELEMENTS_H
#define TRISECT_INTERP_SHADOW_ELEMENTS_H

#include "interp/exec/Fetch.h"
#include "interp/shadow/Taints.h"
#include <vector>

namespace trisect::interp {

/// `count`: lanes, where they are not those of the shape (in a region).
inline Strip allElements(const Value &value, DType type, const Shape &shape, int64_t count,
                         std::vector<char> &keep) {
  if (value.form == Form::Dense || value.form == Form::Splat)
    return fetch(value, type, shape, 0, 0, nullptr);
  keep.resize(static_cast<size_t>(count) * byteSize(type) + 64);
  copyOut(value, type, shape, 0, count, keep.data());
  return {keep.data(), false};
}

/// An instruction's operand as elements; its memory lies in `keep`.
inline Strip wholeOperand(Instance &s, const Instr &i, unsigned n, std::vector<char> &keep) {
  SlotId slot = s.operandSlot(i, n);
  return allElements(s.slot(slot), s.type(slot), s.shape(slot), s.elements(i, slot), keep);
}

/// Makes the list if there is none.
inline void need(TaintLanes &lanes, int64_t count) {
  if (lanes.empty())
    lanes.assign(static_cast<size_t>(count), 0);
}

} // namespace trisect::interp

#endif // TRISECT_INTERP_SHADOW_ELEMENTS_H
