//===- TensorCore.cpp - layouts that tensor core instructions prescribe ---------------------------------===//
#include "backends/gpu/layouts/TensorCore.h"
#include <algorithm>

namespace trisect::gpu {

namespace {
constexpr int32_t kRowsOfGroup = 8; ///< lanes are 8 rows of 4

/// Doubles the tile along a dimension, by a bit of the given kind, until it has a size.
void grow(Layout &tile, Bits kind, size_t dim, int32_t size) {
  int32_t have = tile.shape()[dim];
  if (have < size)
    tile = tile.times(Layout::identity(tile.rank(), dim, size / have, kind));
}

/// Repeats a tile over warps along a dimension; what the block has no room for is held several times.
void spread(Layout &tile, size_t dim, int32_t copies, int32_t size) {
  int32_t useful = std::clamp(size / tile.shape()[dim], 1, copies);
  grow(tile, Bits::Warp, dim, tile.shape()[dim] * useful);
  for (; useful < copies; useful *= 2)
    tile.append(Bits::Warp, 0U);
}

/// A matrix tile seen as the last two dimensions of a block with leading ones, and repeated over it.
Layout cover(const Layout &tile, const std::vector<int32_t> &shape) {
  std::vector<int32_t> leading(shape.size(), 1);
  std::copy(tile.shape().begin(), tile.shape().end(), leading.end() - 2);
  Layout layout = tile.reshaped(leading);
  for (size_t dim = shape.size(); dim-- > 0;)
    grow(layout, Bits::Register, dim, shape[dim]);
  return layout;
}

/// Rows of groups of lanes by columns of `width` elements a lane, then a second group of rows, then a second
/// of columns.
Layout pairsTile(int32_t width, int32_t rows, int32_t columns) {
  Layout tile = Layout::identity(2, 1, width, Bits::Register);
  grow(tile, Bits::Lane, 1, 4 * width);
  grow(tile, Bits::Lane, 0, kRowsOfGroup);
  grow(tile, Bits::Register, 0, rows);
  grow(tile, Bits::Register, 1, columns);
  return tile;
}

Layout transposed(const Layout &tile) {
  constexpr std::array<int32_t, 2> kSwap = {1, 0};
  return tile.transposed(kSwap);
}
} // namespace

MmaShape MmaShape::of(int32_t operandBits) {
  if (operandBits == 64)
    return {8, 8, 4};
  return {16, 8, 256 / operandBits};
}

Layout mmaTile(MmaRole role, int32_t operandBits) {
  MmaShape shape = MmaShape::of(operandBits);
  if (role == MmaRole::Accumulator)
    return pairsTile(2, shape.m, shape.n);
  int32_t width = std::max(32 / operandBits, 1);
  if (role == MmaRole::A)
    return pairsTile(width, shape.m, shape.k);
  return transposed(pairsTile(width, shape.n, shape.k));
}

WarpGrid mmaWarps(int32_t m, int32_t n, int32_t warps, int32_t operandBits) {
  MmaShape tile = MmaShape::of(operandBits);
  WarpGrid grid;
  while (grid.m * grid.n < warps) {
    int32_t rows = m / (tile.m * grid.m);
    int32_t columns = n / (tile.n * grid.n);
    bool alongM = rows > 1 && (rows * tile.m >= columns * tile.n || columns <= 1);
    (alongM || columns <= 1 ? grid.m : grid.n) *= 2;
  }
  return grid;
}

Layout mma(MmaRole role, std::vector<int32_t> shape, int32_t operandBits, WarpGrid warps) {
  Layout tile = mmaTile(role, operandBits);
  int32_t rows = shape[shape.size() - 2];
  int32_t columns = shape[shape.size() - 1];
  // Warps that differ along the dimension that an operand lacks hold the same elements.
  spread(tile, 0, role == MmaRole::B ? 1 : warps.m, rows);
  for (int32_t copy = 1; role == MmaRole::B && copy < warps.m; copy *= 2)
    tile.append(Bits::Warp, 0U);
  spread(tile, 1, role == MmaRole::A ? 1 : warps.n, columns);
  for (int32_t copy = 1; role == MmaRole::A && copy < warps.n; copy *= 2)
    tile.append(Bits::Warp, 0U);
  return cover(tile, shape);
}

std::optional<WarpGrid> warpsOf(const Layout &accumulator, int32_t operandBits) {
  int32_t warps = 1 << accumulator.bits(Bits::Warp);
  for (WarpGrid grid = {1, warps}; grid.m <= warps; grid.m *= 2, grid.n /= 2)
    if (accumulator == mma(MmaRole::Accumulator, accumulator.shape(), operandBits, grid))
      return grid;
  return std::nullopt;
}

bool fitsMma(int32_t m, int32_t n, int32_t k, int32_t operandBits) {
  MmaShape tile = MmaShape::of(operandBits);
  return m >= tile.m && n >= tile.n && k >= tile.k;
}

Layout wgmma(std::vector<int32_t> shape, int32_t n, WarpGrid groups) {
  Layout tile = pairsTile(2, 16, n);
  spread(tile, 0, 4 * groups.m, shape[shape.size() - 2]);
  spread(tile, 1, groups.n, shape[shape.size() - 1]);
  return cover(tile, shape);
}

Layout wgmmaOperand(std::vector<int32_t> shape, int32_t operandBits, WarpGrid groups) {
  Layout tile = mmaTile(MmaRole::A, operandBits);
  spread(tile, 0, 4 * groups.m, shape[shape.size() - 2]);
  for (int32_t copy = 1; copy < groups.n; copy *= 2)
    tile.append(Bits::Warp, 0U);
  return cover(tile, shape);
}

} // namespace trisect::gpu
