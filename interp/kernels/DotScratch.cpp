//===- DotScratch.cpp - how much scratch a matrix product may need --------------------------------------===//
#include "interp/kernels/KernelTable.h"

namespace trisect::interp {

int64_t dotScratchBytes(int64_t m, int64_t n, int64_t k) {
  // At most three f32 terms of each operand (bf16x6), panels padded to 64 columns, and sums of an accumulator
  // that is narrower than f32, or the sums of the even and of the odd steps; an array starts on a multiple of
  // 64 bytes.
  const int64_t padded = (n + 63) / 64 * 64;
  return 12 * k * (m + padded) + 8 * m * n + 16 * 64;
}

} // namespace trisect::interp
