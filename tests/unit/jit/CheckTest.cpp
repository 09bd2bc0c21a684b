//===- CheckTest.cpp - sampling and element comparison --------------------------------------------------===//
#include "jit/check/Element.h"
#include "jit/check/Sample.h"
#include "jit/kernel/Kernel.h"
#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <limits>

using namespace trisect;
using namespace trisect::jit;

namespace {

uint64_t bits(float value) { return std::bit_cast<uint32_t>(value); }

TEST(Sample, HoldsTheCornersOfTheGrid) {
  std::vector<int64_t> ids = samplePrograms({4, 3, 2}, 0, 1);
  EXPECT_EQ(ids, (std::vector<int64_t>{0, 3, 8, 11, 12, 15, 20, 23}));
}

TEST(Sample, AddsRandomProgramsOnce) {
  std::vector<int64_t> ids = samplePrograms({100000, 1, 1}, 3, 7);
  EXPECT_EQ(ids.size(), 5u);
  EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
  EXPECT_EQ(ids, samplePrograms({100000, 1, 1}, 3, 7));
}

TEST(Sample, OfASmallGridIsTheGrid) { EXPECT_EQ(samplePrograms({1, 1, 1}, 5, 3), std::vector<int64_t>{0}); }

TEST(Element, UlpCountsRepresentableNumbers) {
  float next = std::nextafter(1.0f, 2.0f);
  EXPECT_EQ(ulpDistance(bits(1.0f), bits(next), DType::F32), 1u);
  EXPECT_EQ(ulpDistance(bits(-0.0f), bits(0.0f), DType::F32), 0u);
  float tiny = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(ulpDistance(bits(-tiny), bits(tiny), DType::F32), 2u);
}

TEST(Element, ClassesHaveNoDistance) {
  float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(ulpDistance(bits(infinity), bits(1.0f), DType::F32), std::nullopt);
  EXPECT_EQ(ulpDistance(bits(std::nanf("")), bits(1.0f), DType::F32), std::nullopt);
  EXPECT_EQ(ulpDistance(3, 4, DType::I32), std::nullopt);
}

TEST(Element, KnowsNanOfEachFormat) {
  EXPECT_TRUE(isNan(0x7fc0, DType::BF16));
  EXPECT_FALSE(isNan(0x7f80, DType::BF16));
  EXPECT_TRUE(isNan(0xff, DType::F8E4M3FN));
  EXPECT_FALSE(isNan(0x7e, DType::F8E4M3FN));
  EXPECT_TRUE(isNan(0x80, DType::F8E5M2FNUZ));
  EXPECT_FALSE(isNan(0x00, DType::F8E5M2FNUZ));
}

TEST(KernelTraits, TimeAndProcessorAreNoFunctionOfTheArguments) {
  auto traitsOf = [](const std::string &assembly) {
    return Kernel::create("tt.func public @k(%out: !tt.ptr<i32>) {\n"
                          "  %x = tt.elementwise_inline_asm \"" +
                              assembly +
                              "\" {constraints = \"=r\", packed_element = 1 : i32, pure = true} -> i32\n"
                              "  tt.store %out, %x : !tt.ptr<i32>\n"
                              "  tt.return\n"
                              "}\n",
                          "")
        ->traits();
  };
  for (const char *machine :
       {"mov.u32 $0, %smid;", "cvt.u32.u64 $0, %globaltimer;", "cvt.u32.u64 $0, %clock64;"}) {
    EXPECT_TRUE(traitsOf(machine).readsMachine) << machine;
    EXPECT_FALSE(traitsOf(machine).repeatable()) << machine;
  }
  EXPECT_FALSE(traitsOf("mov.u32 $0, 7;").readsMachine);
  EXPECT_TRUE(traitsOf("mov.u32 $0, 7;").repeatable());
}

TEST(Element, PrintsValues) {
  EXPECT_EQ(elementText(0x3e00, DType::F16), "1.5");
  EXPECT_EQ(elementText(0xc0, DType::F8E5M2), "-2");
  EXPECT_EQ(elementText(0xff, DType::I8), "-1");
  EXPECT_EQ(elementText(bits(-std::numeric_limits<float>::infinity()), DType::F32), "-inf");
}

} // namespace
