//===- Lanes.h - a plain function as an elementwise kernel ----------------------------------------------===//
//
// What: kernel<R, A...>(f): calls f lane by lane on stored C++ types.
// Why: most libdevice functions are rare; they need no loop of their own.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_LIBDEVICE_LANES_H
#define TRISECT_INTERP_KERNELS_LIBDEVICE_LANES_H

#include "interp/kernels/KernelTable.h"
#include <cstddef>
#include <utility>

namespace trisect::interp {

template <class T> inline T lane(const Strip &strip, int64_t i) {
  return static_cast<const T *>(strip.data)[strip.splat ? 0 : i];
}

template <auto F, class R, class... A, size_t... I>
void runLanes(void *result, const Strip *operands, int64_t n, std::index_sequence<I...>) {
  auto *r = static_cast<R *>(result);
  for (int64_t i = 0; i < n; ++i)
    r[i] = F(lane<A>(operands[I], i)...);
}

/// `F` is a captureless lambda or a function.
template <auto F, class R, class... A>
void laneKernel(void *result, const Strip *operands, int64_t n, uint64_t) {
  runLanes<F, R, A...>(result, operands, n, std::index_sequence_for<A...>());
}

} // namespace trisect::interp

#endif // TRISECT_INTERP_KERNELS_LIBDEVICE_LANES_H
