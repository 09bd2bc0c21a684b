//===- Select.cpp - kernels of arith.select -------------------------------------------------------------===//
//
// What: result[i] = condition[i] ? a[i] : b[i], by the size of an element; no bit of a value changes.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/kernels/Loops.h"
#include "interp/kernels/isa/Themes.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

namespace {
template <class U> void copyStrip(U *r, const Strip &from, int64_t n) {
  if (from.splat)
    return fill(r, *elements<U>(from), n);
  const U *a = elements<U>(from);
  if (a != r)
    __builtin_memcpy(r, a, static_cast<size_t>(n) * sizeof(U));
}

template <class U> void runSelect(void *result, const Strip *operands, int64_t n, uint64_t) {
  auto *r = static_cast<U *>(result);
  const auto *c = elements<uint8_t>(operands[0]);
  const auto *a = elements<U>(operands[1]);
  const auto *b = elements<U>(operands[2]);
  if (operands[0].splat)
    return copyStrip(r, *c ? operands[1] : operands[2], n);
  if (operands[1].splat && operands[2].splat) {
    const U x = *a, y = *b;
    TRISECT_LOOP for (int64_t i = 0; i < n; ++i) r[i] = c[i] ? x : y;
  } else if (operands[1].splat) {
    const U x = *a;
    TRISECT_LOOP for (int64_t i = 0; i < n; ++i) {
      const U y = b[i];
      r[i] = c[i] ? x : y;
    }
  } else if (operands[2].splat) {
    const U y = *b;
    TRISECT_LOOP for (int64_t i = 0; i < n; ++i) {
      const U x = a[i];
      r[i] = c[i] ? x : y;
    }
  } else {
    TRISECT_LOOP for (int64_t i = 0; i < n; ++i) {
      const U x = a[i], y = b[i];
      r[i] = c[i] ? x : y;
    }
  }
}
} // namespace

void addSelect(Registry &registry) {
  for (int t = 0; t < numDTypes; ++t) {
    const DType type = static_cast<DType>(t);
    const ElementwiseFn bySize[] = {runSelect<uint8_t>, runSelect<uint16_t>, runSelect<uint32_t>,
                                    runSelect<uint64_t>};
    registry.add(OpId::arith_select, type, type, bySize[__builtin_ctz(byteSize(type))]);
  }
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp
