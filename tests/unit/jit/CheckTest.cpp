//===- CheckTest.cpp - sampling and element comparison --------------------------------------------------===//
#include "jit/check/Element.h"
#include "jit/check/Sample.h"
#include "jit/kernel/Kernel.h"
#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <limits>
#include <set>

using namespace trisect;
using namespace trisect::jit;

namespace {

uint64_t bits(float value) { return std::bit_cast<uint32_t>(value); }

std::vector<int64_t> sampledIds(const Grid &grid, unsigned random, uint64_t seed) {
  std::vector<int64_t> ids;
  for (ProgramRange range : samplePrograms(grid, random, seed))
    for (int64_t id = range.first; id < range.first + range.count; ++id)
      ids.push_back(id);
  return ids;
}

TEST(Sample, HoldsTheCornersOfTheGridTheLastOneFirst) {
  EXPECT_EQ(sampledIds({4, 3, 2}, 0, 1), (std::vector<int64_t>{23, 0, 1, 20, 15, 12, 11, 8, 3}));
}

TEST(Sample, AddsRandomProgramsOnce) {
  std::vector<int64_t> ids = sampledIds({100000, 1, 1}, 3, 7);
  EXPECT_EQ(std::set<int64_t>(ids.begin(), ids.end()).size(), 6u);
  EXPECT_EQ(ids, sampledIds({100000, 1, 1}, 3, 7));
  EXPECT_NE(ids, sampledIds({100000, 1, 1}, 3, 8));
}

TEST(Sample, OfASmallGridIsTheGrid) {
  EXPECT_EQ(sampledIds({1, 1, 1}, 5, 3), std::vector<int64_t>{0});
  EXPECT_EQ(sampledIds({1, 2, 1}, 5, 3), (std::vector<int64_t>{0, 1}));
}

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
  auto readsMachine = [](const std::string &assembly) {
    return Kernel::create("tt.func public @k(%out: !tt.ptr<i32>) {\n"
                          "  %x = tt.elementwise_inline_asm \"" +
                              assembly +
                              "\" {constraints = \"=r\", packed_element = 1 : i32, pure = true} -> i32\n"
                              "  tt.store %out, %x : !tt.ptr<i32>\n"
                              "  tt.return\n"
                              "}\n",
                          "")
        ->traits()
        .readsMachine;
  };
  for (const char *machine :
       {"mov.u32 $0, %smid;", "cvt.u32.u64 $0, %globaltimer;", "cvt.u32.u64 $0, %clock64;"})
    EXPECT_TRUE(readsMachine(machine)) << machine;
  EXPECT_FALSE(readsMachine("mov.u32 $0, 7;"));
}

KernelTraits traitsOfBody(const std::string &body) {
  return Kernel::create(
             "tt.func public @k(%p: !tt.ptr<f32>, %q: !tt.ptr<i64>) {\n" + body + "  tt.return\n}\n", "")
      ->traits();
}

TEST(KernelTraits, PointersInMemoryAreSeen) {
  EXPECT_TRUE(traitsOfBody("  %i = tt.load %q : !tt.ptr<i64>\n"
                           "  %r = tt.int_to_ptr %i : i64 -> !tt.ptr<f32>\n"
                           "  %x = tt.load %r : !tt.ptr<f32>\n"
                           "  tt.store %p, %x : !tt.ptr<f32>\n")
                  .addressesShow);
  EXPECT_TRUE(traitsOfBody("  %i = tt.ptr_to_int %p : !tt.ptr<f32> -> i64\n"
                           "  tt.store %q, %i : !tt.ptr<i64>\n")
                  .addressesShow);
  EXPECT_FALSE(traitsOfBody("  %x = tt.load %p : !tt.ptr<f32>\n"
                            "  tt.store %p, %x : !tt.ptr<f32>\n")
                   .addressesShow);
}

TEST(KernelTraits, WhatReadsWhatItWritesIsNotRepeated) {
  EXPECT_TRUE(traitsOfBody("  %x = tt.load %p : !tt.ptr<f32>\n"
                           "  %y = arith.fptosi %x : f32 to i64\n"
                           "  tt.store %q, %y : !tt.ptr<i64>\n")
                  .repeatable);
  EXPECT_FALSE(traitsOfBody("  %x = tt.load %p : !tt.ptr<f32>\n"
                            "  tt.store %p, %x : !tt.ptr<f32>\n")
                   .repeatable);
  // Through a loop that carries the pointer.
  EXPECT_FALSE(
      traitsOfBody("  %a = arith.constant 0 : i32\n"
                   "  %b = arith.constant 4 : i32\n"
                   "  %c = arith.constant 1 : i32\n"
                   "  %e = scf.for %i = %a to %b step %c iter_args(%r = %p) -> (!tt.ptr<f32>) : i32 {\n"
                   "    %x = tt.load %r : !tt.ptr<f32>\n"
                   "    %n = tt.addptr %r, %c : !tt.ptr<f32>, i32\n"
                   "    scf.yield %n : !tt.ptr<f32>\n"
                   "  }\n"
                   "  %z = arith.constant 0.0 : f32\n"
                   "  tt.store %e, %z : !tt.ptr<f32>\n")
          .repeatable);
  EXPECT_FALSE(
      traitsOfBody("  %one = arith.constant 1 : i64\n"
                   "  %true = arith.constant true\n"
                   "  %old = tt.atomic_rmw add, acq_rel, gpu, %q, %one, %true : (!tt.ptr<i64>, i64, i1) "
                   "-> i64\n")
          .repeatable);
  // From where a pointer comes that lies in memory is not known.
  EXPECT_FALSE(traitsOfBody("  %i = tt.load %q : !tt.ptr<i64>\n"
                            "  %r = tt.int_to_ptr %i : i64 -> !tt.ptr<f32>\n"
                            "  %z = arith.constant 0.0 : f32\n"
                            "  tt.store %r, %z : !tt.ptr<f32>\n")
                   .repeatable);
}

TEST(Element, PrintsValues) {
  EXPECT_EQ(elementText(0x3e00, DType::F16), "1.5");
  EXPECT_EQ(elementText(0xc0, DType::F8E5M2), "-2");
  EXPECT_EQ(elementText(0xff, DType::I8), "-1");
  EXPECT_EQ(elementText(0xff, DType::I8, false), "255");
  EXPECT_EQ(elementText(~uint64_t(0), DType::I64, false), "18446744073709551615");
  EXPECT_EQ(elementText(bits(-std::numeric_limits<float>::infinity()), DType::F32), "-inf");
}

} // namespace
