//===- LayoutShape.cpp - products of layouts and edits of their output ----------------------------------===//
#include "backends/gpu/layouts/Layout.h"
#include <functional>

namespace trisect::gpu {

namespace {
using Move = std::function<Coordinates(const Coordinates &)>;

/// The layout of another shape whose vectors are those of `from`, moved.
Layout moved(const Layout &from, std::vector<int32_t> shape, const Move &move) {
  Layout result = Layout::empty(std::move(shape));
  for (Bits kind : kAllBits)
    for (unsigned bit = 0; bit < from.bits(kind); ++bit)
      result.append(kind, move(from.basis(kind, bit)));
  return result;
}
} // namespace

Layout Layout::times(const Layout &outer) const {
  std::vector<int32_t> shape = dims;
  for (size_t dim = 0; dim < rank(); ++dim)
    shape[dim] *= outer.dims[dim];
  Layout result = moved(*this, shape, [](const Coordinates &at) { return at; });
  for (Bits kind : kAllBits)
    for (unsigned bit = 0; bit < outer.bits(kind); ++bit) {
      Coordinates at = outer.basis(kind, bit);
      for (size_t dim = 0; dim < rank(); ++dim)
        at[dim] *= dims[dim];
      result.append(kind, at);
    }
  return result;
}

std::optional<Layout> Layout::divideLeft(const Layout &tile) const {
  std::vector<int32_t> shape = dims;
  for (size_t dim = 0; dim < rank(); ++dim) {
    if (shape[dim] % tile.dims[dim])
      return std::nullopt;
    shape[dim] /= tile.dims[dim];
  }
  Layout rest = empty(shape);
  for (Bits kind : kAllBits) {
    if (bits(kind) < tile.bits(kind))
      return std::nullopt;
    for (unsigned bit = 0; bit < bits(kind); ++bit) {
      Coordinates at = basis(kind, bit);
      if (bit < tile.bits(kind)) {
        if (at != tile.basis(kind, bit))
          return std::nullopt;
        continue;
      }
      for (size_t dim = 0; dim < rank(); ++dim) {
        if (at[dim] % tile.dims[dim])
          return std::nullopt;
        at[dim] /= tile.dims[dim];
      }
      rest.append(kind, at);
    }
  }
  return rest;
}

Layout Layout::reshaped(std::vector<int32_t> shape) const {
  Layout result = *this;
  result.dims = std::move(shape);
  return result;
}

Layout Layout::transposed(std::span<const int32_t> order) const {
  std::vector<int32_t> shape;
  for (int32_t dim : order)
    shape.push_back(dims[dim]);
  return moved(*this, shape, [&](const Coordinates &at) {
    Coordinates result;
    for (int32_t dim : order)
      result.push_back(at[dim]);
    return result;
  });
}

Layout Layout::expanded(size_t axis) const {
  std::vector<int32_t> shape = dims;
  shape.insert(shape.begin() + static_cast<ptrdiff_t>(axis), 1);
  return reshaped(shape);
}

Layout Layout::sliced(size_t axis) const {
  auto without = [axis](std::vector<int32_t> values) {
    values.erase(values.begin() + static_cast<ptrdiff_t>(axis));
    return values;
  };
  return moved(*this, without(dims), without).withoutFreeRegisters();
}

Layout Layout::broadcast(std::vector<int32_t> shape) const {
  // New registers come after those there are; the innermost dimension's first.
  Layout result = moved(*this, shape, [](const Coordinates &at) { return at; });
  for (size_t dim = rank(); dim-- > 0;)
    for (int32_t step = dims[dim]; step < shape[dim]; step *= 2) {
      Coordinates at(rank(), 0);
      at[dim] = step;
      result.append(Bits::Register, at);
    }
  return result;
}

Layout Layout::projected(std::vector<int32_t> shape) const {
  return moved(*this, shape,
               [&](Coordinates at) {
                 for (size_t dim = 0; dim < at.size(); ++dim)
                   at[dim] &= shape[dim] - 1;
                 return at;
               })
      .withoutFreeRegisters();
}

Layout Layout::joined() const {
  std::vector<int32_t> shape = dims;
  shape.push_back(2);
  Layout result = empty(shape);
  result.append(Bits::Register, 1U);
  for (Bits kind : kAllBits)
    for (unsigned bit = 0; bit < bits(kind); ++bit)
      result.append(kind, flat(kind, bit) << 1);
  return result;
}

Layout Layout::split() const { return sliced(rank() - 1); }

Layout Layout::withoutFreeRegisters() const {
  Layout result = empty(dims);
  Span seen;
  for (Bits kind : kAllBits)
    for (unsigned bit = 0; bit < bits(kind); ++bit)
      if (seen.add(flat(kind, bit)) || kind != Bits::Register)
        result.append(kind, flat(kind, bit));
  return result;
}

} // namespace trisect::gpu
