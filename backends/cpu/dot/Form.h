//===- Form.h - how a machine multiplies a product ------------------------------------------------------===//
//
// What: chooses for tt.dot what one instruction multiplies: single elements, several steps of k side by side
// (Together.h), or tiles (TileRegisters.h); and in which order bf16 adds up. Why: what is fastest depends on
// the machine, the bits on the program alone. dpbf16 is twice as fast as products of f32 on AMD's processors
// and half as fast on Intel's, where f32 serves.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_DOT_FORM_H
#define TRISECT_BACKENDS_CPU_DOT_FORM_H

#include "backends/cpu/dot/Tile.h"
#include "core/ir/Ops.h"

namespace trisect::cpu {

/// Of a tile register: rows, and bytes of each; of 4 bytes it has as many columns as rows.
constexpr int64_t tileRows = 16, tileRowBytes = 64;

struct Form {
  unsigned together = 1; ///< steps of k that lie side by side in the right factor
  int64_t tiles = 0;     ///< steps of k in a tile register; 0: sums are in vectors
  int64_t block = 0;     ///< steps of k whose sums, of even and of odd ones, start anew; 0: one chain
};

Form formOf(const Machine &machine, tt::DotOp dot);

/// What the plan says of a product that another order of sums would make much faster; else nothing.
llvm::StringRef adviceOn(const Machine &machine, tt::DotOp dot);

/// What the factors are kept as: the sums' own format, or bytes, or pairs of bytes with sign or of bf16.
mlir::Type factorType(const Form &form, tt::DotOp dot);

Tile tileOf(const Machine &machine, const Form &form, tt::DotOp dot);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_DOT_FORM_H
