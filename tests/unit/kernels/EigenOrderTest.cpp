//===- EigenOrderTest.cpp - matrix products against Eigen -----------------------------------------------===//
//
// What: our f32 product agrees with Eigen within the bound of a reassociated sum, has the same bits on every
// ISA level, and Eigen's has not: the reason why tt.dot does not go through Eigen.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/kernels/KernelTable.h"
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace trisect::interp {
namespace eigen_avx2 {
void product(const float *a, const float *b, float *d, int64_t n);
}
namespace eigen_avx512 {
void product(const float *a, const float *b, float *d, int64_t n);
}

namespace {

constexpr int64_t n = 128;

struct Operands {
  std::vector<float> a = std::vector<float>(n * n), b = std::vector<float>(n * n);
  Operands() {
    for (int64_t i = 0; i < n * n; ++i) {
      a[i] = float((i * 7919) % 2003) / 501.0f - 2.0f;
      b[i] = float((i * 104729) % 1999) / 499.0f - 2.0f;
    }
  }
};

std::vector<float> ours(const Operands &in, Isa isa) {
  std::vector<float> zero(n * n), d(n * n);
  std::vector<char> memory(dotScratchBytes(n, n, n) + 64);
  void *scratch = memory.data() + (64 - reinterpret_cast<uintptr_t>(memory.data()) % 64) % 64;
  const DotFn fn = dotKernel(DType::F32, DType::F32, DType::F32, DotPrecision::Ieee, isa);
  fn({in.a.data(), in.b.data(), zero.data(), d.data(), n, n, n, n, n, n, n}, scratch);
  return d;
}

int64_t differing(const std::vector<float> &x, const std::vector<float> &y) {
  int64_t count = 0;
  for (int64_t i = 0; i < n * n; ++i)
    count += x[i] != y[i];
  return count;
}

TEST(EigenOrder, OursAgreesWithEigenAndOnlyOursIsTheSameEverywhere) {
  if (!isaAvailable(Isa::Avx512))
    GTEST_SKIP() << "this machine lacks avx512";
  const Operands in;
  std::vector<float> narrow(n * n), wide(n * n);
  eigen_avx2::product(in.a.data(), in.b.data(), narrow.data(), n);
  eigen_avx512::product(in.a.data(), in.b.data(), wide.data(), n);
  const auto own = ours(in, Isa::Avx512);
  EXPECT_EQ(differing(own, ours(in, Isa::Avx2)), 0);
  EXPECT_EQ(differing(own, ours(in, Isa::Scalar)), 0);
  RecordProperty("eigen_avx2_and_avx512_differ", static_cast<int>(differing(narrow, wide)));
  RecordProperty("eigen_avx512_and_ours_differ", static_cast<int>(differing(wide, own)));
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double magnitude = 0;
      for (int64_t k = 0; k < n; ++k)
        magnitude += std::abs(double(in.a[i * n + k]) * in.b[k * n + j]);
      ASSERT_NEAR(own[i * n + j], wide[i * n + j], 2 * n * 0x1p-24 * magnitude);
    }
}

} // namespace
} // namespace trisect::interp
