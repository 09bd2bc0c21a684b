//===- LayoutSamples.h - every small layout a test needs ------------------------------------------------===//
//
// What: all layouts of a tensor of few elements over few thread bits, and walks over all holders of one.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_UNIT_GPU_LAYOUTSAMPLES_H
#define TRISECT_TESTS_UNIT_GPU_LAYOUTSAMPLES_H

#include "backends/gpu/layouts/Layout.h"
#include <functional>

namespace trisect::gpu::testing {

/// Calls `visit` for every value of the input bits of a layout.
inline void forHolders(const Layout &layout, const std::function<void(const Holder &)> &visit) {
  for (Column inputs = 0; inputs < Column(1) << layout.inputBits(); ++inputs)
    visit(layout.unpack(inputs));
}

/// Calls `visit` for every layout with the given numbers of register, lane and warp bits, whatever their
/// vectors.
inline void forLayouts(const std::vector<int32_t> &shape, std::array<unsigned, 3> bits,
                       const std::function<void(const Layout &)> &visit) {
  unsigned elementBits = Layout::empty(shape).elementBits();
  unsigned count = bits[0] + bits[1] + bits[2];
  for (uint64_t choice = 0; choice < uint64_t(1) << (elementBits * count); ++choice) {
    Layout layout = Layout::empty(shape);
    uint64_t rest = choice;
    for (size_t kind = 0; kind < 3; ++kind)
      for (unsigned bit = 0; bit < bits[kind]; ++bit, rest >>= elementBits)
        layout.append(kAllBits[kind], static_cast<uint32_t>(rest & ((1U << elementBits) - 1)));
    visit(layout);
  }
}

} // namespace trisect::gpu::testing

#endif // TRISECT_TESTS_UNIT_GPU_LAYOUTSAMPLES_H
