//===- Symbolic.h - elementwise operations on structure -------------------------------------------------===//
//
// What: computes an elementwise operation without touching elements where its operands have enough structure.
// Limits: gives up (and leaves the result alone) whenever an element could wrap around or the result would
// have no symbolic form; the dense kernel then runs.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_OPS_SYMBOLIC_H
#define TRISECT_INTERP_OPS_SYMBOLIC_H

#include "interp/exec/Instance.h"

namespace trisect::interp {

/// True if the result slot of an Elementwise instruction was set.
bool symbolic(Instance &instance, const Instr &instr);

/// A box with one interval per dimension as Splat false, Splat true or Box.
void setBox(Value &value, const Shape &shape, const int32_t *low, const int32_t *high);

} // namespace trisect::interp

#endif // TRISECT_INTERP_OPS_SYMBOLIC_H
