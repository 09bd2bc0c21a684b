//===- DotTest.cpp - matrix products against a plain loop -----------------------------------------------===//
//
// What: every registered product equals the scalar level bit for bit on shapes that leave remainders in every
// direction and with padded rows, and on columns instead of rows; f32 also equals a triple loop over
// std::fma, i8 one over int64.
//
//===----------------------------------------------------------------------------------------------------===//
#include "Samples.h"
#include "interp/kernels/RegistryMaps.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace trisect;
using namespace trisect::interp;

namespace {

/// Numbers of moderate size, so that sums stay finite; any bits for integers and 8-bit floats.
Block matrix(DType type, int64_t n, uint64_t seed) {
  Block block = sample(type, n, seed);
  if (type == DType::F32)
    for (int64_t i = 0; i < n; ++i)
      block.as<float>()[i] = float((seed * 7919 + i * 104729) % 2003) / 501.0f - 2.0f;
  return block;
}

class DotPerIsa : public testing::TestWithParam<Isa> {
protected:
  void SetUp() override {
    if (!isaAvailable(GetParam()))
      GTEST_SKIP() << "this machine lacks " << isaName(GetParam());
  }
};

constexpr int64_t shapes[][3] = {{1, 1, 1},     {16, 16, 16}, {13, 65, 7}, {7, 30, 33},
                                 {32, 128, 40}, {5, 17, 64},  {9, 200, 3}};

struct Product {
  Product(DType a, DType b, DType acc, int64_t m, int64_t n, int64_t k)
      : a(matrix(a, m * (k + 3), 1)), b(matrix(b, k * (n + 5), 2)), c(matrix(acc, m * (n + 1), 3)),
        d(acc, m * (n + 2)), m(m), n(n), k(k) {}
  void run(DotFn fn) {
    std::vector<char> memory(dotScratchBytes(m, n, k) + 64);
    void *scratch = memory.data() + (64 - reinterpret_cast<uintptr_t>(memory.data()) % 64) % 64;
    fn({a.data(), b.data(), c.data(), d.data(), m, n, k, k + 3, n + 5, n + 1, n + 2}, scratch);
  }
  Block a, b, c, d;
  int64_t m, n, k;
};

TEST_P(DotPerIsa, AgreesWithTheScalarLevel) {
  const auto &oracle = registryOf(Isa::Scalar).maps().dot;
  ASSERT_EQ(oracle.size(), registryOf(GetParam()).maps().dot.size());
  for (const auto &[key, fn] : registryOf(GetParam()).maps().dot) {
    const auto [a, b, acc, precision] = key;
    for (const auto &[m, n, k] : shapes) {
      Product expected(a, b, acc, m, n, k), actual(a, b, acc, m, n, k);
      expected.run(oracle.at(key));
      actual.run(fn);
      ASSERT_EQ(firstDifference(expected.d, actual.d), "")
          << name(a) << " x " << name(b) << " -> " << name(acc) << ", precision " << int(precision) << ", "
          << m << "x" << n << "x" << k;
    }
  }
}

TEST_P(DotPerIsa, ReadsColumnsAndStartsFromZero) {
  const auto &oracle = registryOf(Isa::Scalar).maps().dot;
  for (const auto &[key, fn] : registryOf(GetParam()).maps().dot) {
    const auto [a, b, acc, precision] = key;
    for (const auto &[m, n, k] : shapes) {
      Product expected(a, b, acc, m, n, k), actual(a, b, acc, m, n, k);
      std::memset(expected.c.data(), 0, static_cast<size_t>(m * (n + 1) * byteSize(acc)));
      expected.run(oracle.at(key));
      // The same b, column after column, k + 4 elements apart.
      const unsigned size = byteSize(b);
      Block columns(b, n * (k + 4));
      for (int64_t p = 0; p < k; ++p)
        for (int64_t j = 0; j < n; ++j)
          std::memcpy(static_cast<char *>(columns.data()) + (j * (k + 4) + p) * size,
                      static_cast<const char *>(actual.b.data()) + (p * (n + 5) + j) * size, size);
      std::vector<char> memory(dotScratchBytes(m, n, k) + 64);
      void *scratch = memory.data() + (64 - reinterpret_cast<uintptr_t>(memory.data()) % 64) % 64;
      fn({actual.a.data(), columns.data(), nullptr, actual.d.data(), m, n, k, k + 3, 1, 0, n + 2, k + 4},
         scratch);
      ASSERT_EQ(firstDifference(expected.d, actual.d), "")
          << name(a) << " x " << name(b) << " -> " << name(acc) << ", precision " << int(precision) << ", "
          << m << "x" << n << "x" << k;
    }
  }
}

TEST_P(DotPerIsa, F32IsOneChainOfFma) {
  for (const auto &[m, n, k] : shapes) {
    Product p(DType::F32, DType::F32, DType::F32, m, n, k);
    p.run(dotKernel(DType::F32, DType::F32, DType::F32, DotPrecision::Ieee, GetParam()));
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        float sum = p.c.as<float>()[i * (n + 1) + j];
        for (int64_t q = 0; q < k; ++q)
          sum = std::fma(p.a.as<float>()[i * (k + 3) + q], p.b.as<float>()[q * (n + 5) + j], sum);
        ASSERT_EQ(sum, p.d.as<float>()[i * (n + 2) + j]) << i << ", " << j;
      }
  }
}

TEST_P(DotPerIsa, I8IsExact) {
  for (const auto &[m, n, k] : shapes) {
    Product p(DType::I8, DType::I8, DType::I32, m, n, k);
    p.run(dotKernel(DType::I8, DType::I8, DType::I32, DotPrecision::Ieee, GetParam()));
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        int64_t sum = p.c.as<int32_t>()[i * (n + 1) + j];
        for (int64_t q = 0; q < k; ++q)
          sum += int64_t(p.a.as<int8_t>()[i * (k + 3) + q]) * p.b.as<int8_t>()[q * (n + 5) + j];
        ASSERT_EQ(static_cast<int32_t>(sum), p.d.as<int32_t>()[i * (n + 2) + j]);
      }
  }
}

TEST_P(DotPerIsa, SplitPrecisionsComeCloser) {
  // 3 terms must beat 1 by orders of magnitude, against a double reference.
  auto worst = [&](DotPrecision precision) {
    Product p(DType::F32, DType::F32, DType::F32, 16, 32, 64);
    p.run(dotKernel(DType::F32, DType::F32, DType::F32, precision, GetParam()));
    double error = 0;
    for (int64_t i = 0; i < 16; ++i)
      for (int64_t j = 0; j < 32; ++j) {
        double sum = p.c.as<float>()[i * 33 + j];
        for (int64_t q = 0; q < 64; ++q)
          sum += double(p.a.as<float>()[i * 67 + q]) * p.b.as<float>()[q * 37 + j];
        error = std::max(error, std::abs(sum - p.d.as<float>()[i * 34 + j]));
      }
    return error;
  };
  EXPECT_GT(worst(DotPrecision::Tf32), 1e-4);
  EXPECT_LT(worst(DotPrecision::Tf32), 3e-2);
  EXPECT_LT(worst(DotPrecision::Tf32x3), 1e-4);
  EXPECT_LT(worst(DotPrecision::Bf16x3), 5e-3);
  EXPECT_LT(worst(DotPrecision::Bf16x6), 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Levels, DotPerIsa, testing::ValuesIn(isaLevels),
                         [](const auto &info) { return std::string(isaName(info.param)); });

} // namespace
