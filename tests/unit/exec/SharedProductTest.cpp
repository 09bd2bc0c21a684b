//===- SharedProductTest.cpp - matrix products that idle threads take a share of ------------------------===//
#include "tests/unit/exec/ExecTest.h"
#include <cmath>
#include <sys/mman.h>

namespace trisect::interp {
namespace {

/// out = c + a * b for a of 128 x 64, b of 64 x 64, in one program.
const char *product = R"(
tt.func public @k(%pa: !tt.ptr<f32>, %pb: !tt.ptr<f32>, %pc: !tt.ptr<f32>, %po: !tt.ptr<f32>) {
  %l = tt.make_range {end = 8192 : i32, start = 0 : i32} : tensor<8192xi32>
  %m = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32>
  %as = tt.splat %pa : !tt.ptr<f32> -> tensor<8192x!tt.ptr<f32>>
  %ap = tt.addptr %as, %l : tensor<8192x!tt.ptr<f32>>, tensor<8192xi32>
  %af = tt.load %ap : tensor<8192x!tt.ptr<f32>>
  %a = tt.reshape %af : tensor<8192xf32> -> tensor<128x64xf32>
  %bs = tt.splat %pb : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>>
  %bp = tt.addptr %bs, %m : tensor<4096x!tt.ptr<f32>>, tensor<4096xi32>
  %bf = tt.load %bp : tensor<4096x!tt.ptr<f32>>
  %b = tt.reshape %bf : tensor<4096xf32> -> tensor<64x64xf32>
  %cs = tt.splat %pc : !tt.ptr<f32> -> tensor<8192x!tt.ptr<f32>>
  %cp = tt.addptr %cs, %l : tensor<8192x!tt.ptr<f32>>, tensor<8192xi32>
  %cf = tt.load %cp : tensor<8192x!tt.ptr<f32>>
  %c = tt.reshape %cf : tensor<8192xf32> -> tensor<128x64xf32>
  %d = tt.dot %a, %b, %c, inputPrecision = ieee : tensor<128x64xf32> * tensor<64x64xf32> -> tensor<128x64xf32>
  %df = tt.reshape %d : tensor<128x64xf32> -> tensor<8192xf32>
  %os = tt.splat %po : !tt.ptr<f32> -> tensor<8192x!tt.ptr<f32>>
  %op = tt.addptr %os, %l : tensor<8192x!tt.ptr<f32>>, tensor<8192xi32>
  tt.store %op, %df : tensor<8192x!tt.ptr<f32>>
  tt.return
})";

std::vector<float> numbers(size_t count, float step) {
  std::vector<float> data(count);
  for (size_t n = 0; n < count; ++n)
    data[n] = std::sin(static_cast<float>(n) * step);
  return data;
}

TEST_F(ExecTest, NoBitOfAProductDependsOnThreads) {
  auto a = numbers(8192, 0.37f), b = numbers(4096, 0.11f), c = numbers(8192, 0.05f);
  std::vector<float> expected(c);
  for (size_t row = 0; row < 128; ++row)
    for (size_t column = 0; column < 64; ++column)
      for (size_t k = 0; k < 64; ++k)
        expected[row * 64 + column] =
            std::fma(a[row * 64 + k], b[k * 64 + column], expected[row * 64 + column]);
  for (int threads : {1, 2, 3, 7}) {
    std::vector<float> out(8192);
    RunOptions options;
    options.threads = threads;
    launch(product, {1, 1, 1}, {at(a), at(b), at(c), at(out)}, options);
    EXPECT_EQ(out, expected) << threads << " threads";
  }
}

TEST_F(ExecTest, AnOperandThatNobodyCanReadIsAFaultOnEveryThread) {
  TRISECT_NEEDS_WILD_ACCESS;
  auto b = numbers(4096, 0.11f), c = numbers(8192, 0.05f);
  std::vector<float> out(8192);
  // Only the first half of the rows of a can be read.
  const size_t half = 16384;
  void *pages = mmap(nullptr, 2 * half, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  ASSERT_EQ(mprotect(static_cast<char *>(pages) + half, half, PROT_NONE), 0);
  RunOptions options;
  options.threads = 2;
  EXPECT_THROW(launch(product, {1, 1, 1}, {reinterpret_cast<ArgBits>(pages), at(b), at(c), at(out)}, options),
               KernelFault);
  munmap(pages, 2 * half);
}

} // namespace
} // namespace trisect::interp
