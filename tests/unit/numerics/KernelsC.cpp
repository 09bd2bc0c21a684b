//===- KernelsC.cpp - the kernel table with a C interface -----------------------------------------------===//
//
// What: lookups by name and calls with plain pointers, so that Python can hold the kernels against NumPy,
// ml_dtypes and mpmath.
// Limits: an unknown name or a missing kernel is a nonzero status, never an exception.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/kernels/RegistryMaps.h"
#include "interp/numerics/Float8.h"
#include "interp/numerics/Tf32.h"
#include <cstring>
#include <string>

using namespace trisect;
using namespace trisect::interp;

#define TRISECT_EXPORT extern "C" __attribute__((visibility("default")))

namespace {
DType typeOf(const char *text) {
  for (int t = 0; t < numDTypes; ++t)
    if (name(static_cast<DType>(t)) == text)
      return static_cast<DType>(t);
  return DType::Ptr;
}
Isa isaOf(const char *text) {
  for (Isa isa : isaLevels)
    if (isaName(isa) == text)
      return isa;
  return activeIsa();
}
} // namespace

/// 1 if this machine can run the level.
TRISECT_EXPORT int trisect_isa_available(const char *isa) { return isaAvailable(isaOf(isa)); }

/// Runs an elementwise kernel on whole arrays; a symbol instead of a mnemonic if it starts with `__nv_`.
TRISECT_EXPORT int trisect_elementwise(const char *op, const char *operand, const char *result,
                                       const char *isa, void *out, const void *a, const void *b,
                                       const void *c, const void *d, int64_t n, uint64_t attribute) {
  ElementwiseFn fn = nullptr;
  if (std::strncmp(op, "__nv_", 5) == 0)
    fn = externKernel(op, typeOf(operand), typeOf(result), isaOf(isa));
  else if (auto id = opFromMnemonic(op))
    fn = elementwiseKernel({*id, typeOf(operand), typeOf(result)}, Numerics::Ieee, isaOf(isa));
  if (!fn)
    return 1;
  const Strip strips[] = {{a, false}, {b, false}, {c, false}, {d, false}};
  fn(out, strips, n, attribute);
  return 0;
}

TRISECT_EXPORT int trisect_dot(const char *a, const char *b, const char *acc, int precision, const char *isa,
                               const DotArgs *args, void *scratch) {
  DotFn fn = dotKernel(typeOf(a), typeOf(b), typeOf(acc), static_cast<DotPrecision>(precision), isaOf(isa));
  if (!fn)
    return 1;
  fn(*args, scratch);
  return 0;
}
TRISECT_EXPORT int64_t trisect_dot_scratch_bytes(int64_t m, int64_t n, int64_t k) {
  return dotScratchBytes(m, n, k);
}

/// fp8e4b15, which TTIR carries as i8.
TRISECT_EXPORT void trisect_decode_e4b15(float *out, const uint8_t *in, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = smallToFloat<f8E4B15>(in[i]);
}
TRISECT_EXPORT void trisect_encode_e4b15(uint8_t *out, const float *in, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = floatToSmall<f8E4B15, attr::RoundingMode::NearestEven>(in[i]);
}
TRISECT_EXPORT void trisect_tf32(float *out, const float *in, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = roundToTf32(in[i]);
}

/// The registered libdevice symbols with their types, one `symbol operand result` a line.
TRISECT_EXPORT int64_t trisect_extern_symbols(char *buffer, int64_t size) {
  std::string text;
  for (const auto &[key, fn] : registryOf(Isa::Scalar).maps().externs) {
    const auto &[symbol, operand, result] = key;
    text += symbol + " " + std::string(name(operand)) + " " + std::string(name(result)) + "\n";
  }
  if (static_cast<int64_t>(text.size()) < size)
    std::memcpy(buffer, text.c_str(), text.size() + 1);
  return static_cast<int64_t>(text.size()) + 1;
}
