//===- Samples.h - test inputs and comparison of blocks -------------------------------------------------===//
//
// What: blocks of any element type that hold edge values and random ones, and equality up to the bits of NaN.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_UNIT_KERNELS_SAMPLES_H
#define TRISECT_TESTS_UNIT_KERNELS_SAMPLES_H

#include "core/support/DType.h"
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace trisect::interp {

/// A block aligned to 64 bytes.
class Block {
public:
  Block(DType type, int64_t n);
  void *data() { return bytes.data() + offset; }
  const void *data() const { return bytes.data() + offset; }
  template <class T> T *as() { return static_cast<T *>(data()); }
  /// Element i as raw bits.
  uint64_t bits(int64_t i) const;
  void setBits(int64_t i, uint64_t value);

  const DType type;
  const int64_t count;

private:
  std::vector<char> bytes;
  size_t offset;
};

/// Edge values first (zeros, ones, extremes, subnormals, infinities, NaN), then random bit patterns and, for
/// floats, numbers of moderate size.
Block sample(DType type, int64_t n, uint64_t seed);

bool isNanBits(DType type, uint64_t bits);
/// Equal bits, or both NaN.
bool sameValue(DType type, uint64_t a, uint64_t b);
/// Empty if all elements are the same value, else the first that differs.
std::string firstDifference(const Block &a, const Block &b);

} // namespace trisect::interp

#endif // TRISECT_TESTS_UNIT_KERNELS_SAMPLES_H
