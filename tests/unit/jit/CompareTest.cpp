//===- CompareTest.cpp - bytes, elements, verdicts ------------------------------------------------------===//
#include "jit/check/Compare.h"
#include <bit>
#include <gtest/gtest.h>
#include <limits>

using namespace trisect;
using namespace trisect::jit;

namespace {

constexpr uint64_t base = 0x10000;

TensorView viewOf(DType type, std::vector<int64_t> shape, std::vector<int64_t> strides, uint64_t at = base) {
  TensorView view;
  view.name = "x";
  view.address = at;
  view.type = type;
  view.shape = std::move(shape);
  view.strides = std::move(strides);
  return view;
}

/// A page of 64 bytes at `base`, all written by tier 0, with bytes that differ put in by the test.
struct Page {
  std::vector<uint8_t> expected = std::vector<uint8_t>(64), written = std::vector<uint8_t>(64, 1),
                       found = std::vector<uint8_t>(64);
  template <class T> static void put(std::vector<uint8_t> &bytes, size_t element, T value) {
    std::memcpy(bytes.data() + element * sizeof(T), &value, sizeof(T));
  }
  Verdict compareWith(const std::vector<TensorView> &views) const {
    Verdict verdict;
    compare({base, expected, written, found}, Tensors(views), nullptr, verdict);
    return verdict;
  }
};

TEST(Compare, NamesElementAndDistance) {
  Page page;
  page.put(page.expected, 5, 1.0f);
  page.put(page.found, 5, std::nextafter(1.0f, 2.0f));
  page.put(page.found, 7, 2.0f);
  Verdict verdict = page.compareWith({viewOf(DType::F32, {4, 4}, {4, 1})});
  ASSERT_TRUE(verdict.first);
  EXPECT_EQ(verdict.first->index, (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(verdict.first->ulp, 1u);
  EXPECT_EQ(verdict.differing, 2);
  EXPECT_FALSE(verdict.first->stray);
  EXPECT_EQ(verdict.first->describe("cpu"),
            "x[1, 1]: tier 0 has 1, cpu has 1.00000012 (1 ULP), in program 0");
}

TEST(Compare, AViewThatRunsBackwardsHasItsOwnIndices) {
  Page page;
  page.put(page.found, 0, 1.0f);
  Verdict verdict = page.compareWith({viewOf(DType::F32, {16}, {-1}, base + 15 * 4)});
  EXPECT_EQ(verdict.first->index, (std::vector<int64_t>{15}));
}

TEST(Compare, BytesThatOnlyTheOtherTierWroteCount) {
  Page page;
  page.written.assign(64, 0);
  page.put(page.found, 9, 3);
  Verdict verdict = page.compareWith({viewOf(DType::I32, {16}, {1})});
  EXPECT_EQ(verdict.strays, 1);
  EXPECT_EQ(verdict.first->describe("cpu"), "x[9]: tier 0 leaves 0, cpu writes 3, in program 0");
}

TEST(Compare, NansAreOneClassWhereAllViewsAreFloats) {
  Page page;
  page.put(page.expected, 2, 0x7fc00000u);
  page.put(page.found, 2, 0xffc00001u);
  TensorView floats = viewOf(DType::F32, {16}, {1}), integers = viewOf(DType::I32, {16}, {1});
  EXPECT_EQ(page.compareWith({floats}).differing, 0);
  EXPECT_EQ(page.compareWith({floats, floats}).differing, 0);
  EXPECT_EQ(page.compareWith({integers}).differing, 1);
  EXPECT_GT(page.compareWith({floats, integers}).differing, 0);
}

TEST(Compare, WhatNoTensorHoldsIsBytes) {
  Page page;
  page.found[40] = 7;
  Verdict verdict = page.compareWith({viewOf(DType::F32, {4}, {1})});
  EXPECT_EQ(verdict.first->tensor, "");
  EXPECT_EQ(verdict.first->address, base + 40);
}

TEST(Compare, AnElementThatLeavesThePageIsBytes) {
  Page page;
  page.found[63] = 1;
  Verdict verdict = page.compareWith({viewOf(DType::F64, {8}, {1}, base + 4)});
  EXPECT_EQ(verdict.differing, 1);
  EXPECT_EQ(verdict.first->address, base + 63);
}

} // namespace
