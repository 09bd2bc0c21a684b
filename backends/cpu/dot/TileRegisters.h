//===- TileRegisters.h - products in the tile registers of AMX ------------------------------------------===//
//
// What: sums + a * b for factors of bf16 or bytes in scratch memory, the left one row by row, the right one
// with the steps of a column side by side. Two by two tiles of sums stay in registers over all of k. Why: an
// instruction multiplies 16 rows and columns and 32 steps of bf16, 64 of bytes: some fifteen times as much as
// vectors do in its time. Bytes keep their signs and wrap. Products of bf16 add up in blocks of 32 steps, an
// even and an odd chain; subnormals are taken and given as zero (docs/numerics.md). Limits: x86; the
// process asks for the registers (orc/Machine.cpp); rows and columns are multiples of 16.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_DOT_TILEREGISTERS_H
#define TRISECT_BACKENDS_CPU_DOT_TILEREGISTERS_H

#include "backends/cpu/dot/Micro.h"

namespace trisect::cpu {

/// The loops of a product whose form has tiles. `start` has to be in the sums.
void emitTileProduct(KernelState &state, const Product &product);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_DOT_TILEREGISTERS_H
