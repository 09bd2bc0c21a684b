//===- Iota.cpp - kernels that make ranges --------------------------------------------------------------===//
#include "interp/kernels/Loops.h"
#include "interp/kernels/isa/Themes.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

namespace {
template <class U> void runIota(void *result, uint64_t start, uint64_t step, int64_t n) {
  auto *r = static_cast<U *>(result);
  const U first = static_cast<U>(start), by = static_cast<U>(step);
  TRISECT_LOOP for (int64_t i = 0; i < n; ++i) r[i] =
      static_cast<U>(uint64_t(first) + uint64_t(by) * uint64_t(i));
}
} // namespace

void addIota(Registry &registry) {
  registry.addIota(DType::I8, runIota<uint8_t>);
  registry.addIota(DType::I16, runIota<uint16_t>);
  registry.addIota(DType::I32, runIota<uint32_t>);
  registry.addIota(DType::I64, runIota<uint64_t>);
  registry.addIota(DType::Ptr, runIota<uint64_t>);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp
