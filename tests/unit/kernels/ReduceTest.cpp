//===- ReduceTest.cpp - reductions against a plain statement of their order -----------------------------===//
//
// What: every registered reduction, on shapes that take each path, must equal the order that KernelTable.h
// fixes, written here with the elementwise kernel of the scalar level.
//
//===----------------------------------------------------------------------------------------------------===//
#include "Samples.h"
#include "interp/kernels/RegistryMaps.h"
#include <gtest/gtest.h>

using namespace trisect;
using namespace trisect::interp;

namespace {

/// op(a, b) by the scalar level's elementwise kernel.
uint64_t joinOne(OpId op, DType type, uint64_t a, uint64_t b) {
  uint64_t r = 0;
  const Strip strips[] = {{&a, false}, {&b, false}};
  elementwiseKernel({op, type, type}, Numerics::Ieee, Isa::Scalar)(&r, strips, 1, 0);
  return r;
}

/// The order in words: lane i joins accumulator i mod 64; then accumulators are folded in halves.
uint64_t foldColumn(OpId op, DType type, const Block &input, int64_t base, int64_t length, int64_t inner) {
  auto join = [&](uint64_t a, uint64_t b) { return joinOne(op, type, a, b); };
  std::vector<uint64_t> acc;
  for (int64_t i = 0; i < length; ++i) {
    const uint64_t x = input.bits(base + i * inner);
    if (i < 64)
      acc.push_back(x);
    else
      acc[i % 64] = join(acc[i % 64], x);
  }
  for (size_t half = 32; half >= 1; half /= 2) {
    for (size_t j = 0; j < half && j + half < acc.size(); ++j)
      acc[j] = join(acc[j], acc[j + half]);
    if (acc.size() > half)
      acc.resize(half);
  }
  return acc[0];
}

class ReducePerIsa : public testing::TestWithParam<Isa> {};

TEST_P(ReducePerIsa, KeepsTheStatedOrder) {
  if (!isaAvailable(GetParam()))
    GTEST_SKIP() << "this machine lacks " << isaName(GetParam());
  const int64_t shapes[][3] = {{1, 1, 1},
                               {5, 2, 1},
                               {2, 7, 1},
                               {3, 64, 1},
                               {2, 1000, 1},
                               {1, 4096, 1},
                               {2, 16, 3},
                               {1, 300, 16},
                               {2, 2, 17},
                               {1, 64, 100},
                               {2, 130, 65},
                               {1, 48, 32},
                               // many rows of one column
                               {33, 64, 1},
                               {18, 16, 1},
                               {20, 32, 1},
                               {35, 200, 1},
                               {17, 8, 1},
                               {40, 128, 1},
                               {19, 65, 1},
                               {16, 100, 1},
                               {70, 4, 1},
                               {21, 48, 1}};
  ASSERT_FALSE(registryOf(GetParam()).maps().reduce.empty());
  for (const auto &[key, fn] : registryOf(GetParam()).maps().reduce) {
    const auto [op, type] = key;
    for (const auto &[outer, length, inner] : shapes) {
      const Block input = sample(type, outer * length * inner, 3 * length + inner);
      Block expected(type, outer * inner), actual(type, outer * inner);
      for (int64_t o = 0; o < outer; ++o)
        for (int64_t c = 0; c < inner; ++c)
          expected.setBits(o * inner + c, foldColumn(op, type, input, o * length * inner + c, length, inner));
      fn(actual.data(), input.data(), outer, length, inner);
      ASSERT_EQ(firstDifference(expected, actual), "") << info(op).mnemonic << " " << name(type) << " ["
                                                       << outer << "][" << length << "][" << inner << "]";
    }
  }
}

TEST_P(ReducePerIsa, ScansStepByStep) {
  if (!isaAvailable(GetParam()))
    GTEST_SKIP() << "this machine lacks " << isaName(GetParam());
  const int64_t shapes[][3] = {{1, 1, 1}, {1, 100, 1}, {11, 33, 1}, {3, 20, 5}, {2, 9, 70}};
  const auto &maps = registryOf(GetParam()).maps();
  ASSERT_EQ(maps.scan.size(), maps.reduce.size());
  for (const auto &[key, fn] : maps.scan) {
    const auto [op, type] = key;
    for (const auto &[outer, length, inner] : shapes)
      for (bool reverse : {false, true}) {
        Block input = sample(type, outer * length * inner, length), expected(type, input.count);
        Block actual(type, input.count);
        for (int64_t o = 0; o < outer; ++o)
          for (int64_t c = 0; c < inner; ++c) {
            uint64_t acc = 0;
            for (int64_t step = 0; step < length; ++step) {
              const int64_t at = (o * length + (reverse ? length - 1 - step : step)) * inner + c;
              acc = step == 0 ? input.bits(at) : joinOne(op, type, acc, input.bits(at));
              expected.setBits(at, acc);
            }
          }
        fn(actual.data(), input.data(), outer, length, inner, reverse);
        ASSERT_EQ(firstDifference(expected, actual), "") << info(op).mnemonic << " " << name(type);
        fn(input.data(), input.data(), outer, length, inner, reverse);
        ASSERT_EQ(firstDifference(expected, input), "") << info(op).mnemonic << " in place";
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, ReducePerIsa, testing::ValuesIn(isaLevels),
                         [](const auto &info) { return std::string(isaName(info.param)); });

} // namespace
