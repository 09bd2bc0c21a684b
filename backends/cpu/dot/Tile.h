//===- Tile.h - the register tile of a product ----------------------------------------------------------===//
//
// What: how many rows and vectors of columns stay in registers over all of k, for a machine and a format.
// Why: sums that do not fit in its registers are spilled at every step of k. A tile needs some eight sums at
// least, so that no multiply-add waits for the one before.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_DOT_TILE_H
#define TRISECT_BACKENDS_CPU_DOT_TILE_H

#include "backends/cpu/orc/Machine.h"
#include "llvm/ADT/SmallVector.h"

namespace trisect::cpu {

struct Tile {
  unsigned lanes = 1;  ///< columns of a vector
  int64_t vectors = 1; ///< of a row
  int64_t rows = 1;
  int64_t panel = 0; ///< columns of a panel of the right factor; 0: it has no more, and lies row by row

  int64_t columns() const { return lanes * vectors; }
};

/// Of sums with `bytes` bytes each, for a product of `m` rows and `n` columns, powers of two.
Tile tileOf(const Machine &machine, unsigned bytes, int64_t m, int64_t n);

/// Whether the tiles of some rows go over all columns before the next rows come. Those rows of the left
/// factor stay in the first cache then, wherever they lie in memory, and panels of the right one, which lie
/// side by side, come out of the second cache; else a panel stays, and rows come again for each panel.
bool rowsStay(const Machine &machine);

/// `count` tiles of `rows` rows each.
struct RowRun {
  int64_t rows, count;
};
/// Tiles that cover `m` rows, the tallest first; none is so low that its sums are too few.
llvm::SmallVector<RowRun, 2> rowRuns(const Tile &tile, int64_t m);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_DOT_TILE_H
