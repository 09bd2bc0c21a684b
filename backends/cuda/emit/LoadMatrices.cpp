//===- LoadMatrices.cpp - operands of tensor cores from shared memory -----------------------------------===//
//
// What: reads a block by the instruction that takes the addresses of rows from some lanes and hands every
// lane its words of 8 by 8 matrices. How: in the layout that it gives, the first lane bits count words along
// a row of 16 bytes and the others rows; where rows lie the other way round, the matrices are transposed. The
// next register bits number the matrices. Limits: layouts in which this is so; transposed, 16-bit elements.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Buffers.h"
#include "backends/cuda/emit/Memory.h"

using namespace llvm;
using trisect::gpu::Bits;
using trisect::gpu::Column;

namespace trisect::cuda {

namespace {
constexpr unsigned rowBytes = 16, wordBytes = 4;

/// How a block's elements lie in the matrices of a buffer.
class Matrices {
public:
  Matrices(const Placement &block, const gpu::Layout &buffer, unsigned bytes)
      : layout(block.layout()), toOffset(buffer.inverse()), bytes(bytes) {
    fits = bytes <= wordBytes && !layout.freeBits(Bits::Register) && layout.bits(Bits::Lane) == 5 &&
           layout.bits(Bits::Register) >= wordBits() && (straight() || turned()) && restIsWhole();
  }

  bool fit() const { return fits; }
  bool transposed() const { return isTurned; }
  /// Matrices of one instruction.
  unsigned count() const { return std::min(4u, 1u << (layout.bits(Bits::Register) - wordBits())); }
  unsigned elementsPerWord() const { return wordBytes / bytes; }
  Column offset(unsigned part) const { return toOffset.times(layout.element({.registerNumber = part})); }

  /// What a lane, as one that brings an address, adds to the offset; and what its warp does.
  gpu::XorChain chain() const {
    std::vector<Column> lanes = rows;
    for (unsigned bit = 0; 1u << bit < count(); ++bit)
      lanes.push_back(at(Bits::Register, wordBits() + bit));
    gpu::XorChain all = gpu::xorChain(Bits::Lane, lanes);
    std::vector<Column> warps;
    for (unsigned bit = 0; bit < layout.bits(Bits::Warp); ++bit)
      warps.push_back(at(Bits::Warp, bit));
    gpu::XorChain more = gpu::xorChain(Bits::Warp, warps);
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

private:
  unsigned wordBits() const { return Log2_32(wordBytes / bytes); }
  Column at(Bits kind, unsigned bit) const { return toOffset.times(layout.flat(kind, bit)); }

  /// Whether these bits count the elements of a row, from `first` on.
  bool countsFrom(Column first, std::initializer_list<std::pair<Bits, unsigned>> bits) const {
    for (auto [kind, bit] : bits) {
      if (at(kind, bit) != first)
        return false;
      first *= 2;
    }
    return true;
  }

  bool straight() {
    for (unsigned bit = 0; bit < wordBits(); ++bit)
      if (at(Bits::Register, bit) != Column(1) << bit)
        return false;
    if (!countsFrom(elementsPerWord(), {{Bits::Lane, 0}, {Bits::Lane, 1}}))
      return false;
    rows = {at(Bits::Lane, 2), at(Bits::Lane, 3), at(Bits::Lane, 4)};
    return true;
  }

  bool turned() {
    if (bytes != 2 || !countsFrom(1, {{Bits::Lane, 2}, {Bits::Lane, 3}, {Bits::Lane, 4}}))
      return false;
    rows = {at(Bits::Register, 0), at(Bits::Lane, 0), at(Bits::Lane, 1)};
    return isTurned = true;
  }

  /// All else moves by whole rows.
  bool restIsWhole() const {
    Column within = rowBytes / bytes - 1, all = 0;
    for (Column row : rows)
      all |= row;
    for (unsigned bit = wordBits(); bit < layout.bits(Bits::Register); ++bit)
      all |= at(Bits::Register, bit);
    for (unsigned bit = 0; bit < layout.bits(Bits::Warp); ++bit)
      all |= at(Bits::Warp, bit);
    return (all & within) == 0;
  }

  const gpu::Layout &layout;
  gpu::Matrix toOffset;
  unsigned bytes;
  std::vector<Column> rows;
  bool isTurned = false, fits = false;
};
} // namespace

std::optional<Parts> loadMatrices(Emitter &e, Value *base, const gpu::Layout &buffer, const Placement &block,
                                  Type *element) {
  unsigned bytes = std::max(1u, static_cast<unsigned>(element->getScalarSizeInBits()) / 8);
  Matrices matrices(block, buffer, bytes);
  if (!matrices.fit())
    return std::nullopt;
  unsigned each = matrices.elementsPerWord(), together = matrices.count() * each;
  Value *thread = e.evaluate(matrices.chain());
  Parts parts;
  for (unsigned n = 0; n < block.held(); n += together) {
    Value *at = e.b.CreateXor(thread, e.i32(static_cast<int64_t>(matrices.offset(n))));
    Value *address = e.b.CreateAdd(base, e.b.CreateMul(at, e.i32(bytes)));
    unpack(e, e.machine.loadMatrices(address, matrices.count(), matrices.transposed()), element, together,
           parts);
  }
  return parts;
}

} // namespace trisect::cuda
