//===- Tile.h - a block of a tensor given by base, shape, strides and offsets ---------------------------===//
//
// What: the addresses and the box of a block pointer's or descriptor's block, and of one row after the other
// of a descriptor gather or scatter. Why: handlers and checks see the same pattern.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_OPS_TILE_H
#define TRISECT_INTERP_OPS_TILE_H

#include "interp/exec/Instance.h"

namespace trisect::interp {

struct Tile {
  Shape shape; ///< of the block, leading unit dimensions included
  Value pointer, mask;
  unsigned next; ///< the first operand after offsets
};

/// A scalar operand as a signed number.
int64_t tileScalar(Instance &s, const Instr &i, unsigned n);

/// Of a BlockLoad, BlockStore or BlockReduce over elements of `type`.
Tile tileOf(Instance &s, const Instr &i, DType type);

/// The rows of a BlockGather or BlockScatter.
struct TileRows {
  TileRows(Instance &s, const Instr &i, DType type, int64_t columns);
  /// Addresses and live columns of row `r` of the block.
  void row(int64_t r, Value &pointer, Value &mask) const;

  Shape line;         ///< of a row
  unsigned numbersAt; ///< the operand that holds the row numbers

private:
  uint64_t base;
  int64_t rows, columns, rowStride, columnStride, first;
  unsigned size;
  Value keep;
  const char *numbers;
  DType numberType;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_OPS_TILE_H
