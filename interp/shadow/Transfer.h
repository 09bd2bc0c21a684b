//===- Transfer.h - how taints travel through an instruction --------------------------------------------===//
//
// What: one function a behaviour: called before the instruction, it looks at the taints of the operands,
// tells what they decide, and sets those of the results. Travel.cpp's clean() is the behaviour of what makes
// values out of nothing. Why: Opcodes.def names one for each opcode, so that none can be forgotten; Opcode.h
// holds it against core/ops.def.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_SHADOW_TRANSFER_H
#define TRISECT_INTERP_SHADOW_TRANSFER_H

#include "interp/shadow/Travel.h"

namespace trisect::interp {

/// A table of these, by opcode.
using Transfer = void (*)(Travel &travel, const Instr &i);
extern const Transfer transfers[];

// Control.cpp
void travelNothing(Travel &travel, const Instr &i); ///< has no results
void travelClean(Travel &travel, const Instr &i);   ///< its results depend on nothing
void travelUndefined(Travel &travel, const Instr &i);
void travelBranch(Travel &travel, const Instr &i);
void travelForTest(Travel &travel, const Instr &i);
void travelForNext(Travel &travel, const Instr &i);
void travelMove(Travel &travel, const Instr &i);
void travelAssert(Travel &travel, const Instr &i);
void travelAssume(Travel &travel, const Instr &i);

// Elementwise.cpp, Assembly.cpp
void travelElementwise(Travel &travel, const Instr &i);
void travelAssembly(Travel &travel, const Instr &i);

// Moves.cpp, Gather.cpp, Histogram.cpp
void travelElements(Travel &travel, const Instr &i);
void travelGather(Travel &travel, const Instr &i);
void travelHistogram(Travel &travel, const Instr &i);

// Memory.cpp, Tiles.cpp, Atomics.cpp
void travelLoad(Travel &travel, const Instr &i);
void travelStore(Travel &travel, const Instr &i);
void travelTile(Travel &travel, const Instr &i);
void travelRows(Travel &travel, const Instr &i);
void travelAtomic(Travel &travel, const Instr &i);

// Folds.cpp, Products.cpp, ScaledProducts.cpp
void travelFold(Travel &travel, const Instr &i);
void travelLanes(Travel &travel, const Instr &i); ///< the body is run over lanes, by its own operations
void travelProduct(Travel &travel, const Instr &i);
void travelScaledProduct(Travel &travel, const Instr &i);

} // namespace trisect::interp

#endif // TRISECT_INTERP_SHADOW_TRANSFER_H
