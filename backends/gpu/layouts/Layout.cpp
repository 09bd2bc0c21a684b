//===- Layout.cpp - which thread holds which element ----------------------------------------------------===//
#include "backends/gpu/layouts/Layout.h"
#include <bit>

namespace trisect::gpu {

namespace {
unsigned bitsOf(int32_t size) { return std::countr_zero(static_cast<uint32_t>(size)); }

/// For each dimension the place of its lowest bit in an element's number.
std::vector<unsigned> places(const std::vector<int32_t> &shape) {
  std::vector<unsigned> places(shape.size());
  unsigned place = 0;
  for (size_t dim = shape.size(); dim-- > 0;) {
    places[dim] = place;
    place += bitsOf(shape[dim]);
  }
  return places;
}
} // namespace

uint32_t Holder::get(Bits bits) const {
  switch (bits) {
  case Bits::Register:
    return registerNumber;
  case Bits::Lane:
    return lane;
  case Bits::Warp:
    return warp;
  case Bits::Block:
    return block;
  case Bits::Offset:
    return offset;
  }
  return 0;
}

Layout Layout::empty(std::vector<int32_t> shape) {
  Layout layout;
  layout.dims = std::move(shape);
  return layout;
}

Layout Layout::identity(size_t rank, size_t dim, int32_t size, Bits bits) {
  Layout layout = empty(std::vector<int32_t>(rank, 1));
  layout.dims[dim] = size;
  for (int32_t bit = 1; bit < size; bit *= 2)
    layout.append(bits, static_cast<uint32_t>(bit));
  return layout;
}

int64_t Layout::elements() const { return int64_t(1) << elementBits(); }

unsigned Layout::elementBits() const {
  unsigned bits = 0;
  for (int32_t size : dims)
    bits += bitsOf(size);
  return bits;
}

unsigned Layout::inputBits() const {
  unsigned count = 0;
  for (Bits kind : kAllBits)
    count += bits(kind);
  return count;
}

Coordinates Layout::coordinates(uint32_t element) const {
  std::vector<unsigned> place = places(dims);
  Coordinates result;
  for (size_t dim = 0; dim < dims.size(); ++dim)
    result.push_back(static_cast<int32_t>(element >> place[dim]) & (dims[dim] - 1));
  return result;
}

uint32_t Layout::number(const Coordinates &coordinates) const {
  std::vector<unsigned> place = places(dims);
  uint32_t element = 0;
  for (size_t dim = 0; dim < dims.size(); ++dim)
    element |= static_cast<uint32_t>(coordinates[dim]) << place[dim];
  return element;
}

uint32_t Layout::element(const Holder &holder) const {
  Column sum = 0;
  for (Bits kind : kAllBits)
    sum ^= Matrix{of(kind)}.times(holder.get(kind));
  return static_cast<uint32_t>(sum);
}

Matrix Layout::columns() const {
  Matrix matrix;
  for (const std::vector<Column> &kind : bases)
    matrix.columns.insert(matrix.columns.end(), kind.begin(), kind.end());
  return matrix;
}

Column Layout::pack(const Holder &holder) const {
  Column inputs = 0;
  unsigned place = 0;
  for (Bits kind : kAllBits) {
    inputs |= Column(holder.get(kind)) << place;
    place += bits(kind);
  }
  return inputs;
}

Holder Layout::unpack(Column inputs) const {
  std::array<uint32_t, kBitsKinds> values{};
  for (Bits kind : kAllBits) {
    values[static_cast<size_t>(kind)] = static_cast<uint32_t>(inputs & ((Column(1) << bits(kind)) - 1));
    inputs >>= bits(kind);
  }
  return {values[0], values[1], values[2], values[3], values[4]};
}

Matrix Layout::inverse() const { return pseudoInverse(columns(), elementBits()); }

bool Layout::covers() const { return Span(columns().columns).dimension() == elementBits(); }

uint32_t Layout::freeBits(Bits kind) const { return unpack(dependentColumns(columns())).get(kind); }

size_t Layout::hash() const {
  uint64_t value = 0xcbf29ce484222325;
  auto mix = [&value](uint64_t word) { value = (value ^ word) * 0x100000001b3; };
  for (int32_t size : dims)
    mix(static_cast<uint64_t>(size));
  for (const std::vector<Column> &kind : bases) {
    mix(0x5eed);
    for (Column column : kind)
      mix(column);
  }
  return value ^ value >> 32;
}

} // namespace trisect::gpu
