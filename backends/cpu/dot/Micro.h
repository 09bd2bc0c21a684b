//===- Micro.h - the loops of a product over register tiles ---------------------------------------------===//
//
// What: d = start + a * b for factors that lie in scratch memory in the format of d: the left one row by row,
// the right one in panels of some columns. A tile of sums stays in registers over all of k. Why: each element
// is one chain of fused multiply-adds in ascending k, or a sum of blocks of two, as in tier 0, so that the
// bits agree.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_DOT_MICRO_H
#define TRISECT_BACKENDS_CPU_DOT_MICRO_H

#include "backends/cpu/dot/Form.h"
#include "backends/cpu/emit/KernelState.h"

namespace trisect::cpu {

/// Steps of k in one round of the loop at most.
inline constexpr int64_t stepsAtOnce = 4;

/// How much of a product is wanted; null: all of it.
struct Extent {
  mlir::Value rows, columns; ///< i64, from the first on
};

/// The rows of a left factor wherever each lies, k by k.
struct LeftRows {
  mlir::Value table; ///< address of their addresses, i64; null: the left factor is a buffer
  mlir::Value moved; ///< bytes from there to the first that is multiplied
  mlir::Value ahead; ///< bytes from there to what is multiplied next, or 0
};

struct Product {
  mlir::Value start; ///< TTIR value; null: `sums` holds it
  Buffer left, right, sums;
  Tile tile;
  Extent wanted;
  LeftRows rows = {};
  mlir::Value from = {}, to = {}; ///< the part of k, i64; null: all of it
  Form form = {};
  bool startsAtZero = false;       ///< what the sums hold is not read; tiles alone know that
  std::optional<Buffer> less = {}; ///< what each column of the sums has too much
  mlir::Value takesLess = {};      ///< i1: whether this part takes it away; null: it does
};

void emitProduct(KernelState &state, const Product &product);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_DOT_MICRO_H
