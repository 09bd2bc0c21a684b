//===- Turn.h - a transposition in registers ------------------------------------------------------------===//
//
// What: copies a block in scratch memory into another with its last two dimensions exchanged, in squares of
// as many rows as a vector has lanes. Why: element by element it costs more than the product that needs it.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_DOT_TURN_H
#define TRISECT_BACKENDS_CPU_DOT_TURN_H

#include "backends/cpu/emit/KernelState.h"

namespace trisect::cpu {

/// `from` lies row by row, `to` may lie in panels; both have one element type.
void emitTurn(KernelState &state, const Buffer &from, const Buffer &to);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_DOT_TURN_H
