//===- AccessTest.cpp - gather, scatter and iota --------------------------------------------------------===//
//
// What: masked-off lanes touch no memory (their address is one that faults), the last of repeated addresses
// wins, misaligned addresses work, ranges wrap.
//
//===----------------------------------------------------------------------------------------------------===//
#include "Samples.h"
#include "interp/kernels/RegistryMaps.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace trisect;
using namespace trisect::interp;

namespace {

class AccessPerIsa : public testing::TestWithParam<Isa> {
protected:
  void SetUp() override {
    if (!isaAvailable(GetParam()))
      GTEST_SKIP() << "this machine lacks " << isaName(GetParam());
  }
};

constexpr DType bySize[] = {DType::I8, DType::I16, DType::I32, DType::I64};

TEST_P(AccessPerIsa, GatherReadsOnlyWhereTheMaskAllows) {
  for (DType type : bySize) {
    const int64_t n = 203, bytes = byteSize(type);
    Block memory = sample(type, n + 8, 5), other = sample(type, n, 6), result(type, n);
    std::vector<uint64_t> address(n);
    std::vector<uint8_t> mask(n);
    for (int64_t i = 0; i < n; ++i) {
      mask[i] = i % 3 != 0;
      // Odd addresses on purpose; masked-off lanes point to a page that is never mapped.
      address[i] = mask[i] ? reinterpret_cast<uint64_t>(memory.data()) + (i * 7 % n) * bytes + 1 : 8;
    }
    for (int variant = 0; variant < 3; ++variant) {
      const Strip none{}, strip{other.data(), variant == 1};
      gatherKernel(bytes, GetParam())(result.data(), address.data(), mask.data(), variant == 2 ? none : strip,
                                      n);
      for (int64_t i = 0; i < n; ++i) {
        uint64_t expected = variant == 2 ? 0 : other.bits(variant == 1 ? 0 : i);
        if (mask[i]) {
          expected = 0;
          std::memcpy(&expected, reinterpret_cast<void *>(address[i]), bytes);
        }
        ASSERT_EQ(expected, result.bits(i)) << name(type) << " lane " << i << " variant " << variant;
      }
    }
  }
}

TEST_P(AccessPerIsa, GatherWithoutMaskReadsAll) {
  for (DType type : bySize) {
    const int64_t n = 77, bytes = byteSize(type);
    Block memory = sample(type, n, 5), result(type, n);
    std::vector<uint64_t> address(n);
    for (int64_t i = 0; i < n; ++i)
      address[i] = reinterpret_cast<uint64_t>(memory.data()) + (n - 1 - i) * bytes;
    gatherKernel(bytes, GetParam())(result.data(), address.data(), nullptr, {}, n);
    for (int64_t i = 0; i < n; ++i)
      ASSERT_EQ(memory.bits(n - 1 - i), result.bits(i));
  }
}

TEST_P(AccessPerIsa, ScatterWritesInOrderWhereTheMaskAllows) {
  for (DType type : bySize) {
    const int64_t n = 130, bytes = byteSize(type);
    Block memory = sample(type, n, 7), value = sample(type, n, 8), expected(type, n);
    for (int64_t i = 0; i < n; ++i)
      expected.setBits(i, memory.bits(i));
    std::vector<uint64_t> address(n);
    std::vector<uint8_t> mask(n);
    for (int64_t i = 0; i < n; ++i) {
      mask[i] = i % 4 != 1;
      const int64_t at = i / 2; // neighbours collide: the later one wins
      address[i] = mask[i] ? reinterpret_cast<uint64_t>(memory.data()) + at * bytes : 8;
      if (mask[i])
        expected.setBits(at, value.bits(i));
    }
    scatterKernel(bytes, GetParam())(address.data(), mask.data(), {value.data(), false}, n);
    EXPECT_EQ(firstDifference(expected, memory), "");
    scatterKernel(bytes, GetParam())(address.data(), mask.data(), {value.data(), true}, n);
    EXPECT_EQ(memory.bits(0), value.bits(0));
    EXPECT_EQ(memory.bits(n / 2 - 1), value.bits(0));
  }
}

TEST_P(AccessPerIsa, IotaWraps) {
  for (DType type : {DType::I8, DType::I16, DType::I32, DType::I64, DType::Ptr}) {
    const int64_t n = 301;
    Block result(type, n);
    const uint64_t start = ~uint64_t(0) - 50, step = 3;
    iotaKernel(type, GetParam())(result.data(), start, step, n);
    Block expected(type, n);
    for (int64_t i = 0; i < n; ++i)
      expected.setBits(i, start + step * i);
    EXPECT_EQ(firstDifference(expected, result), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, AccessPerIsa, testing::ValuesIn(isaLevels),
                         [](const auto &info) { return std::string(isaName(info.param)); });

} // namespace
