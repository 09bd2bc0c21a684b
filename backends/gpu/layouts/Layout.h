//===- Layout.h - which thread holds which element ------------------------------------------------------===//
//
// What: a matrix over the field of two elements. Its inputs are the bits of a register number, lane, warp and
// block (a distributed layout) or of an offset in memory (a memory layout); its output is a coordinate of a
// tensor whose dimensions are powers of two. Why: one type serves coalesced accesses, tensor cores and
// swizzled memory, and shape ops are edits of its output.
//
// How: a coordinate is held as the row-major number of its element, so that the bits of the last dimension
// come lowest and a row-major reshape changes nothing but the shape. Input bits count from the register up: a
// bit is *free* if its vector depends on those before it; holders that differ in free bits alone hold the
// same elements. Limits: at most 2^32 elements and 64 input bits.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_LAYOUTS_LAYOUT_H
#define TRISECT_BACKENDS_GPU_LAYOUTS_LAYOUT_H

#include "backends/gpu/layouts/Matrix.h"
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace trisect::gpu {

/// What an input bit means.
enum class Bits : uint8_t { Register, Lane, Warp, Block, Offset };
constexpr size_t kBitsKinds = 5;
constexpr std::array<Bits, kBitsKinds> kAllBits = {Bits::Register, Bits::Lane, Bits::Warp, Bits::Block,
                                                   Bits::Offset};

using Coordinates = std::vector<int32_t>;

/// Values of the input bits.
struct Holder {
  uint32_t registerNumber = 0;
  uint32_t lane = 0;
  uint32_t warp = 0;
  uint32_t block = 0;
  uint32_t offset = 0;

  uint32_t get(Bits bits) const;
  bool operator==(const Holder &) const = default;
};

class Layout {
public:
  /// Without input bits; every dimension is a power of two.
  static Layout empty(std::vector<int32_t> shape);
  /// A tensor of `rank` dimensions, `size` long in one of them: input bit i is bit i of the coordinate there.
  static Layout identity(size_t rank, size_t dim, int32_t size, Bits bits);

  size_t rank() const { return dims.size(); }
  const std::vector<int32_t> &shape() const { return dims; }
  int64_t elements() const;
  /// Bits of an element's number.
  unsigned elementBits() const;

  unsigned bits(Bits kind) const { return static_cast<unsigned>(of(kind).size()); }
  unsigned inputBits() const;
  /// The coordinates that an input bit XORs in; as the number of an element in flat().
  Coordinates basis(Bits kind, unsigned bit) const { return coordinates(flat(kind, bit)); }
  uint32_t flat(Bits kind, unsigned bit) const { return static_cast<uint32_t>(of(kind)[bit]); }
  void append(Bits kind, uint32_t element) { of(kind).push_back(element); }
  void append(Bits kind, const Coordinates &at) { append(kind, number(at)); }
  const std::vector<Column> &of(Bits kind) const { return bases[static_cast<size_t>(kind)]; }

  Coordinates apply(const Holder &holder) const { return coordinates(element(holder)); }
  /// The number of the element held.
  uint32_t element(const Holder &holder) const;
  Coordinates coordinates(uint32_t element) const;
  uint32_t number(const Coordinates &coordinates) const;

  /// All input bits, the register's first; the inputs of columns() count the same way.
  Matrix columns() const;
  /// The input bits of a holder as one number, and back.
  Column pack(const Holder &holder) const;
  Holder unpack(Column inputs) const;
  /// Maps an element's number to its first holder (free bits zero); zero where nobody holds it.
  Matrix inverse() const;
  /// True if every element has a holder.
  bool covers() const;
  /// Input bits of a kind that are free, as a mask.
  uint32_t freeBits(Bits kind) const;

  /// The tensor that has this layout's tile at every place that `outer` tells: shapes multiply, the bits of
  /// `outer` follow those of this layout. Ranks are equal.
  Layout times(const Layout &outer) const;
  /// The L with `tile.times(L) == *this`, if this layout repeats the tile.
  std::optional<Layout> divideLeft(const Layout &tile) const;

  // Edits of the output; each gives the layout of the result of the shape op.
  Layout reshaped(std::vector<int32_t> shape) const;
  /// Result dimension i is dimension order[i].
  Layout transposed(std::span<const int32_t> order) const;
  Layout expanded(size_t axis) const;
  /// A reduction: the axis goes, its bits become free. Registers that hold nothing new go with it.
  Layout sliced(size_t axis) const;
  /// Unit dimensions grow; every thread holds all copies of its elements, in new registers.
  Layout broadcast(std::vector<int32_t> shape) const;
  /// What a broadcast needs of its operand: coordinates go to zero where `shape` is one. Registers that hold
  /// nothing new go.
  Layout projected(std::vector<int32_t> shape) const;
  /// A new last dimension of two, in a new first register bit.
  Layout joined() const;
  /// Without the last dimension of two; registers that hold nothing new go.
  Layout split() const;

  /// Without the register bits that hold nothing new.
  Layout withoutFreeRegisters() const;

  /// `16x8 reg 0,1 8,0 lane 0,2 0,4 1,0 2,0 4,0 warp 0,0`; a tensor without dimensions is `scalar`.
  std::string str() const;
  /// Reads what str() writes; nothing if it makes no sense.
  static std::optional<Layout> parse(std::string_view text);

  size_t hash() const;
  bool operator==(const Layout &) const = default;

private:
  std::vector<Column> &of(Bits kind) { return bases[static_cast<size_t>(kind)]; }

  std::vector<int32_t> dims;
  std::array<std::vector<Column>, kBitsKinds> bases;
};

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_LAYOUTS_LAYOUT_H
