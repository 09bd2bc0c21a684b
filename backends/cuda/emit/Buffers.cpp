//===- Buffers.cpp - blocks in shared memory ------------------------------------------------------------===//
#include "backends/cuda/emit/Buffers.h"
#include "backends/cuda/emit/Memory.h"
#include "backends/gpu/layouts/SharedMemory.h"

using namespace llvm;
using trisect::gpu::Bits;

namespace trisect::cuda {

namespace {
/// Where the parts of a block lie in a buffer, in elements.
class Places {
public:
  Places(Emitter &e, const Placement &block, const gpu::Layout &buffer)
      : e(e), block(block), toOffset(buffer.inverse()) {
    for (Bits bits : {Bits::Lane, Bits::Warp}) {
      std::vector<gpu::Column> columns;
      for (unsigned bit = 0; bit < block.layout().bits(bits); ++bit)
        columns.push_back(toOffset.times(block.layout().flat(bits, bit)));
      for (gpu::Column column : columns)
        threads |= column;
      for (const gpu::XorTerm &term : gpu::xorChain(bits, columns))
        chain.push_back(term);
    }
    thread = e.evaluate(chain);
  }

  gpu::Column offset(unsigned part) const { return toOffset.times(block.element(part)); }

  /// Parts in a row that lie in a row, for elements of so many bytes.
  unsigned width(unsigned bytes) const {
    unsigned width = 1;
    while (2 * width <= block.held() && 2 * width * bytes <= 16 && offset(width) == width &&
           (threads & (2 * width - 1)) == 0 && aligned(2 * width))
      width *= 2;
    return width;
  }

  Value *address(Value *base, unsigned part, unsigned bytes) const {
    Value *at = e.b.CreateXor(thread, e.i32(static_cast<int64_t>(offset(part))));
    return e.b.CreateAdd(base, e.b.CreateMul(at, e.i32(bytes)));
  }

private:
  bool aligned(unsigned width) const {
    for (unsigned part = 0; part < block.held(); part += width)
      if (offset(part) & (width - 1))
        return false;
    return true;
  }

  Emitter &e;
  const Placement &block;
  gpu::Matrix toOffset;
  gpu::XorChain chain;
  gpu::Column threads = 0;
  Value *thread = nullptr;
};

unsigned bytesOf(Type *type) { return std::max(1u, static_cast<unsigned>(type->getScalarSizeInBits()) / 8); }

} // namespace

void storeToBuffer(Emitter &e, const Parts &parts, const Placement &block, Value *base,
                   const gpu::Layout &buffer) {
  unsigned bytes = bytesOf(parts[0]->getType());
  Places places(e, block, buffer);
  unsigned width = places.width(bytes);
  Value *mine = e.soleHolder(block);
  for (unsigned n = 0; n < parts.size(); n += width)
    e.machine.storeShared(places.address(base, n, bytes), pack(e, ArrayRef(parts).slice(n, width)), mine);
}

bool copyToBuffer(Emitter &e, const GlobalBlock &from, const Placement &block, Value *base,
                  const gpu::Layout &buffer, const CacheWords &cache) {
  Places places(e, block, buffer);
  unsigned width = std::min(places.width(from.bytes), from.width);
  if (width * from.bytes < gpu::kLeastCopyBytes)
    return false;
  Value *mine = e.soleHolder(block);
  for (unsigned n = 0; n < from.addresses.size(); n += width)
    e.machine.copyToShared(places.address(base, n, from.bytes), from.addresses[n], width * from.bytes,
                           from.mask ? (*from.mask)[n] : nullptr, mine, cache);
  return true;
}

Parts loadFromBuffer(Emitter &e, Value *base, const gpu::Layout &buffer, const Placement &block,
                     Type *element) {
  if (std::optional<Parts> parts = loadMatrices(e, base, buffer, block, element))
    return *parts;
  unsigned bytes = bytesOf(element);
  Places places(e, block, buffer);
  unsigned width = places.width(bytes);
  WordShape shape = wordShape(8 * bytes, width);
  Parts parts;
  for (unsigned n = 0; n < block.held(); n += width)
    unpack(e, e.machine.loadShared(places.address(base, n, bytes), shape.bits, shape.count), element, width,
           parts);
  return parts;
}

} // namespace trisect::cuda
