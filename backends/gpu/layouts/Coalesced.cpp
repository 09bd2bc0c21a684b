//===- Coalesced.cpp - layouts for accesses to global memory --------------------------------------------===//
#include "backends/gpu/layouts/Coalesced.h"
#include <algorithm>

namespace trisect::gpu {

namespace {
/// Hands out the bits of a tensor's coordinates in the order of its dimensions.
class Places {
public:
  Places(const std::vector<int32_t> &shape, std::span<const int32_t> order) : shape(shape), order(order) {}

  bool left() {
    while (next < order.size() && step == shape[order[next]]) {
      ++next;
      step = 1;
    }
    return next < order.size();
  }
  /// The next bit; zero if none is left.
  Coordinates take() {
    Coordinates at(shape.size(), 0);
    if (left()) {
      at[order[next]] = step;
      step *= 2;
    }
    return at;
  }

private:
  const std::vector<int32_t> &shape;
  std::span<const int32_t> order;
  size_t next = 0;
  int32_t step = 1;
};
} // namespace

Layout coalesced(const std::vector<int32_t> &shape, std::span<const int32_t> order, int32_t elementsPerThread,
                 Threads threads) {
  Layout layout = Layout::empty(shape);
  Places places(shape, order);
  int32_t vector = order.empty() ? 1 : std::min(elementsPerThread, shape[order[0]]);
  for (int32_t held = 1; held < vector; held *= 2)
    layout.append(Bits::Register, places.take());
  for (int32_t lanes = 1; lanes < threads.lanes; lanes *= 2)
    layout.append(Bits::Lane, places.take());
  for (int32_t warps = 1; warps < threads.warps; warps *= 2)
    layout.append(Bits::Warp, places.take());
  while (places.left())
    layout.append(Bits::Register, places.take());
  return layout;
}

int32_t registerRun(const Layout &layout, size_t dim) {
  const Layout held = layout.withoutFreeRegisters();
  int32_t run = 1;
  for (unsigned bit = 0; bit < held.bits(Bits::Register) && run < held.shape()[dim]; ++bit, run *= 2) {
    Coordinates step(held.rank(), 0);
    step[dim] = run;
    if (held.basis(Bits::Register, bit) != step)
      break;
  }
  return run;
}

} // namespace trisect::gpu
