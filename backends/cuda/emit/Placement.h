//===- Placement.h - which elements of a block a thread holds -------------------------------------------===//
//
// What: a layout as the emitter uses it: the registers that hold something of their own, the element of each,
// and who else holds it. Limits: one block of threads; bits of blocks play no part.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMIT_PLACEMENT_H
#define TRISECT_BACKENDS_CUDA_EMIT_PLACEMENT_H

#include "backends/gpu/layouts/Layout.h"
#include "llvm/ADT/SmallVector.h"

namespace trisect::cuda {

class Placement {
public:
  explicit Placement(gpu::Layout layout);

  const gpu::Layout &layout() const { return distributed; }
  /// Values that a thread keeps for a block: one for each register that holds something of its own.
  unsigned held() const { return 1u << heldBits.size(); }
  /// What value `n` adds to the thread's element number.
  uint32_t element(unsigned n) const { return elements[n]; }
  /// The value that holds what register bits `number` hold, where free bits count as zero.
  unsigned heldFor(uint32_t registerNumber) const;
  uint32_t registerOf(unsigned n) const;
  /// Lanes and warps that hold nothing of their own, as masks over lane and warp numbers.
  uint32_t freeLanes() const { return distributed.freeBits(gpu::Bits::Lane); }
  uint32_t freeWarps() const { return distributed.freeBits(gpu::Bits::Warp); }
  int64_t size() const { return distributed.elements(); }

private:
  gpu::Layout distributed;
  llvm::SmallVector<unsigned> heldBits;
  llvm::SmallVector<uint32_t> elements;
};

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMIT_PLACEMENT_H
