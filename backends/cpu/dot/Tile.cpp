//===- Tile.cpp - register tiles by machine -------------------------------------------------------------===//
#include "backends/cpu/dot/Tile.h"
#include <algorithm>

namespace trisect::cpu {

namespace {
/// What fills a panel of the right factor is written in chunks of that many columns.
constexpr int64_t chunkColumns = 16;
} // namespace

Tile tileOf(const Machine &machine, unsigned bytes, int64_t m, int64_t n) {
  Tile tile;
  bool large = machine.hasManyRegisters();
  tile.lanes = static_cast<unsigned>(std::min<int64_t>(n, machine.vectorBytes / bytes));
  tile.vectors = std::min<int64_t>(n / tile.lanes, large ? 4 : 2);
  int64_t rows = 8;
  if (tile.vectors == 4)
    rows = 4;
  else if (tile.vectors == 2 && !large)
    rows = machine.vectorBytes == 32 ? 6 : 4;
  tile.rows = std::min(m, rows);
  int64_t panel = std::max(chunkColumns, tile.columns());
  tile.panel = n > panel ? panel : 0;
  return tile;
}

bool rowsStay(const Machine &machine) { return machine.vectorBytes < 64; }

llvm::SmallVector<RowRun, 2> rowRuns(const Tile &tile, int64_t m) {
  int64_t rest = m % tile.rows;
  if (rest == 0)
    return {{tile.rows, m / tile.rows}};
  // Six rows do not divide a power of two: the rest, and one more tile where it is 2, go by four.
  int64_t tall = m / tile.rows - (rest < 4 ? 1 : 0), low = m - tall * tile.rows;
  if (tall == 0)
    return {{4, low / 4}};
  return {{tile.rows, tall}, {4, low / 4}};
}

} // namespace trisect::cpu
