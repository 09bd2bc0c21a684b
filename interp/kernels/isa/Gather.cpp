//===- Gather.cpp - kernels that read and write by address ----------------------------------------------===//
//
// Limits: a lane whose mask is 0 touches no memory; lanes are written in ascending order.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/kernels/Loops.h"
#include "interp/kernels/isa/Themes.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

namespace {
/// Addresses need not be aligned.
template <class U> TRISECT_INLINE U loadAt(uint64_t address) {
  U value;
  __builtin_memcpy(&value, reinterpret_cast<const void *>(address), sizeof(U));
  return value;
}
template <class U> TRISECT_INLINE void storeAt(uint64_t address, U value) {
  __builtin_memcpy(reinterpret_cast<void *>(address), &value, sizeof(U));
}

template <class U>
void runGather(void *result, const uint64_t *address, const uint8_t *mask, Strip other, int64_t n) {
  auto *r = static_cast<U *>(result);
  if (!mask) {
    for (int64_t i = 0; i < n; ++i)
      r[i] = loadAt<U>(address[i]);
    return;
  }
  const auto *o = static_cast<const U *>(other.data);
  for (int64_t i = 0; i < n; ++i)
    r[i] = mask[i] ? loadAt<U>(address[i]) : o ? o[other.splat ? 0 : i] : U(0);
}

template <class U> void runScatter(const uint64_t *address, const uint8_t *mask, Strip value, int64_t n) {
  const auto *v = static_cast<const U *>(value.data);
  for (int64_t i = 0; i < n; ++i)
    if (!mask || mask[i])
      storeAt<U>(address[i], v[value.splat ? 0 : i]);
}
} // namespace

void addGather(Registry &registry) {
  registry.addGather(1, runGather<uint8_t>, runScatter<uint8_t>);
  registry.addGather(2, runGather<uint16_t>, runScatter<uint16_t>);
  registry.addGather(4, runGather<uint32_t>, runScatter<uint32_t>);
  registry.addGather(8, runGather<uint64_t>, runScatter<uint64_t>);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp
