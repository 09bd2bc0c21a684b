//===- AsmScalar.cpp - types and bits of PTX instructions -----------------------------------------------===//
#include "interp/program/AsmScalar.h"
#include "interp/kernels/KernelTable.h"
#include <cstring>

namespace trisect::interp::ptx {

/// One element through the kernel table.
std::optional<uint64_t> apply(OpId op, DType from, DType to, std::initializer_list<uint64_t> operands,
                              uint64_t attribute) {
  ElementwiseFn kernel = elementwiseKernel({op, from, to}, Numerics::Ieee, Isa::Scalar);
  if (!kernel)
    return std::nullopt;
  Strip strips[3];
  size_t n = 0;
  for (const uint64_t &bits : operands)
    strips[n++] = {&bits, true};
  alignas(64) uint64_t result[8] = {};
  kernel(result, strips, 1, attribute);
  uint64_t bits = 0;
  std::memcpy(&bits, result, byteSize(to));
  return bits;
}

uint64_t cut(uint64_t bits, unsigned bytes) {
  return bytes >= 8 ? bits : bits & ((uint64_t(1) << 8 * bytes) - 1);
}

bool isNan(uint64_t bits, DType type) {
  FloatBits layout(type);
  return (bits & ~layout.sign) > layout.infinity;
}

uint64_t oneNan(uint64_t bits, DType type) {
  uint64_t nan = FloatBits(type).nan;
  return nan && isNan(bits, type) ? nan : bits;
}

uint64_t flushed(uint64_t bits, DType type, bool flush) {
  FloatBits layout(type);
  return flush && !(bits & layout.infinity) ? bits & layout.sign : bits;
}

int64_t sign(uint64_t bits, unsigned bytes) {
  unsigned shift = 64 - 8 * bytes;
  return int64_t(bits << shift) >> shift;
}

} // namespace trisect::interp::ptx
