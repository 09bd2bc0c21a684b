//===- SharedMemory.cpp - layouts of blocks in shared memory --------------------------------------------===//
#include "backends/gpu/layouts/SharedMemory.h"
#include <algorithm>

namespace trisect::gpu {

namespace {
constexpr int32_t kPieceBytes = 16;

Coordinates along(size_t rank, size_t dim, int32_t value) {
  Coordinates at(rank, 0);
  at[dim] = value;
  return at;
}
} // namespace

Layout plainShared(const std::vector<int32_t> &shape, std::span<const int32_t> order) {
  Layout layout = Layout::empty(shape);
  for (int32_t dim : order)
    for (int32_t step = 1; step < shape[dim]; step *= 2)
      layout.append(Bits::Offset, along(shape.size(), dim, step));
  return layout;
}

Layout swizzledShared(const std::vector<int32_t> &shape, std::span<const int32_t> order, int32_t elementBits,
                      int32_t swizzleBytes) {
  Layout layout = Layout::empty(shape);
  int32_t fastest = order[0];
  int32_t width = swizzleBytes * 8 / elementBits;
  int32_t piece = kPieceBytes * 8 / elementBits;
  for (int32_t step = 1; step < width; step *= 2)
    layout.append(Bits::Offset, along(shape.size(), fastest, step));
  // Eight rows of 128 bytes, or of 64 with every second row like the one before, or of 32 with four alike:
  // the pieces are exchanged by the bits of the address from 128 bytes up.
  int32_t place = swizzleBytes;
  for (int32_t dim : order.subspan(1))
    for (int32_t step = 1; step < shape[dim]; step *= 2, place *= 2) {
      Coordinates at = along(shape.size(), dim, step);
      int32_t exchanged = place >= 128 ? place / 128 * piece : 0;
      if (exchanged < width)
        at[fastest] = exchanged;
      layout.append(Bits::Offset, at);
    }
  for (int32_t step = width; step < shape[fastest]; step *= 2)
    layout.append(Bits::Offset, along(shape.size(), fastest, step));
  return layout;
}

int32_t widestSwizzle(int32_t fastest, int32_t elementBits) {
  for (int32_t bytes : {128, 64, 32})
    if (fastest * elementBits >= bytes * 8)
      return bytes;
  return 0;
}

} // namespace trisect::gpu
