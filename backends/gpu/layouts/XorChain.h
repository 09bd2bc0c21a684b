//===- XorChain.h - how a thread computes what is linear in its numbers ---------------------------------===//
//
// What: a linear function of lane, warp, block or offset as few terms `((bits & mask) << shift)`, joined by
// XOR. Why: the emitter makes coordinates, offsets and lane numbers from thread ids. Registers are known when
// code is made, so that they give a constant to XOR in.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_LAYOUTS_XORCHAIN_H
#define TRISECT_BACKENDS_GPU_LAYOUTS_XORCHAIN_H

#include "backends/gpu/layouts/Layout.h"

namespace trisect::gpu {

struct XorTerm {
  Bits source = Bits::Lane;
  uint32_t mask = 0;
  /// To the left; negative to the right.
  int shift = 0;
  bool operator==(const XorTerm &) const = default;
};
using XorChain = std::vector<XorTerm>;

/// Terms of a function whose column i is what bit i of `source` adds.
XorChain xorChain(Bits source, const std::vector<Column> &columns);
/// For each dimension of a layout, the terms of the coordinate; registers are left out.
std::vector<XorChain> xorChain(const Layout &layout);
/// What the terms give for a holder.
uint32_t evaluate(const XorChain &chain, const Holder &holder);

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_LAYOUTS_XORCHAIN_H
