//===- KernelsTest.cpp - whole kernels against plain loops ----------------------------------------------===//
#include "interp/tools/SampleKernels.h"
#include "tests/unit/exec/ExecTest.h"
#include <cmath>
#include <random>

namespace trisect::interp {
namespace {

std::vector<float> noise(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> data(count);
  for (float &x : data)
    x = normal(random);
  return data;
}

TEST_F(ExecTest, VectorAddStopsAtItsBound) {
  for (bool fused : {true, false}) {
    auto x = noise(5000, 1), y = noise(5000, 2);
    std::vector<float> out(5000, -1.0f);
    RunOptions options;
    options.fused = fused;
    launch(vectorAdd, {5, 1, 1}, {at(x), at(y), at(out), 4500}, options);
    for (size_t i = 0; i < out.size(); ++i)
      ASSERT_EQ(out[i], i < 4500 ? x[i] + y[i] : -1.0f) << i;
  }
}

TEST_F(ExecTest, VectorAddInPlace) {
  auto x = noise(4096, 1), y = noise(4096, 2), before = x;
  launch(vectorAdd, {4, 1, 1}, {at(x), at(y), at(x), 4096});
  for (size_t i = 0; i < x.size(); ++i)
    ASSERT_EQ(x[i], before[i] + y[i]) << i;
}

TEST_F(ExecTest, VectorAddOntoShiftedInput) {
  // The output overlaps the input by one element: loads of a program come before its stores.
  auto x = noise(1025, 1), y = noise(1024, 2), before = x;
  launch(vectorAdd, {1, 1, 1}, {at(x), at(y), at(x) + 4, 1024});
  for (size_t i = 0; i < y.size(); ++i)
    ASSERT_EQ(x[i + 1], before[i] + y[i]) << i;
}

TEST_F(ExecTest, OverlayKeepsMemory) {
  auto x = noise(2048, 1), y = noise(2048, 2);
  std::vector<float> out(2048, -1.0f);
  Overlay overlay;
  RunOptions options;
  options.overlay = &overlay;
  int64_t second = 1;
  options.programs = {&second, 1};
  launch(vectorAdd, {2, 1, 1}, {at(x), at(y), at(out), 2000}, options);
  for (float value : out)
    ASSERT_EQ(value, -1.0f);
  EXPECT_EQ(overlay.bytesWritten(), 976 * 4);
  overlay.forEachWrite([&](uint64_t address, std::span<const uint8_t> bytes, std::span<const uint8_t> mask) {
    for (size_t at = 0; at < bytes.size(); at += 4)
      if (mask[at]) {
        size_t i = (address + at - this->at(out)) / 4;
        ASSERT_GE(i, 1024u);
        float written;
        std::memcpy(&written, bytes.data() + at, sizeof(written));
        ASSERT_EQ(written, x[i] + y[i]);
      }
  });
}

TEST_F(ExecTest, SoftmaxSumsToOne) {
  auto in = noise(8 * 1000, 3);
  std::vector<float> out(8 * 1000);
  launch(softmax, {8, 1, 1}, {at(out), at(in), 1000, 1000});
  for (int row = 0; row < 8; ++row) {
    double most = -INFINITY, sum = 0;
    for (int i = 0; i < 1000; ++i)
      most = std::max<double>(most, in[row * 1000 + i]);
    for (int i = 0; i < 1000; ++i)
      sum += std::exp(in[row * 1000 + i] - most);
    for (int i = 0; i < 1000; ++i)
      ASSERT_NEAR(out[row * 1000 + i], std::exp(in[row * 1000 + i] - most) / sum, 1e-7);
  }
}

TEST_F(ExecTest, MatmulInBlocks) {
  int m = 256, n = 128, k = 96;
  auto a = noise(m * k, 4), b = noise(k * n, 5);
  std::vector<float> c(m * n);
  launch(matmul, {2, 1, 1}, {at(a), at(b), at(c), ArgBits(m), ArgBits(n), ArgBits(k)});
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int p = 0; p < k; ++p)
        sum += double(a[i * k + p]) * b[p * n + j];
      ASSERT_NEAR(c[i * n + j], sum, 1e-4);
    }
}

} // namespace
} // namespace trisect::interp
