//===- TensorCoreTest.cpp - layouts of instructions and of swizzled memory ------------------------------===//
//
// What each thread holds is stated here in the words of the PTX manual: group = lane / 4, place = lane % 4.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/gpu/layouts/TensorCore.h"
#include "LayoutSamples.h"
#include "backends/gpu/layouts/SharedMemory.h"
#include <gtest/gtest.h>

using namespace trisect::gpu;
using namespace trisect::gpu::testing;

namespace {
/// Registers of accumulators: c0 c1 in row group, c2 c3 in row group + 8.
Coordinates accumulatorAt(uint32_t lane, uint32_t i) {
  return {static_cast<int32_t>(lane / 4 + (i >= 2 ? 8 : 0)), static_cast<int32_t>(lane % 4 * 2 + i % 2)};
}

/// Operand A, m16n8k(256 / bits): words of `width` elements, word 1 eight rows below, word 2 further along K.
Coordinates operandAt(uint32_t lane, uint32_t i, int32_t bits) {
  auto width = static_cast<uint32_t>(32 / bits);
  uint32_t word = i / width;
  return {static_cast<int32_t>(lane / 4 + word % 2 * 8),
          static_cast<int32_t>(lane % 4 * width + i % width + word / 2 * 4 * width)};
}
} // namespace

TEST(TensorCore, AccumulatorsOfMma) {
  for (int32_t bits : {8, 16, 32}) {
    Layout tile = mmaTile(MmaRole::Accumulator, bits);
    EXPECT_EQ(tile.bits(Bits::Register), 2U);
    forHolders(tile, [&](const Holder &holder) {
      ASSERT_EQ(tile.apply(holder), accumulatorAt(holder.lane, holder.registerNumber));
    });
  }
  EXPECT_EQ(mmaTile(MmaRole::Accumulator, 64).str(), "8x8 reg 0,1 lane 0,2 0,4 1,0 2,0 4,0");
}

TEST(TensorCore, OperandsOfMma) {
  for (int32_t bits : {8, 16, 32}) {
    Layout a = mmaTile(MmaRole::A, bits);
    EXPECT_EQ(a.shape(), (std::vector<int32_t>{16, 256 / bits}));
    forHolders(a, [&](const Holder &holder) {
      ASSERT_EQ(a.apply(holder), operandAt(holder.lane, holder.registerNumber, bits)) << a.str();
    });
    // B is like A transposed, without the second group of rows.
    Layout b = mmaTile(MmaRole::B, bits);
    EXPECT_EQ(b.shape(), (std::vector<int32_t>{256 / bits, 8}));
    auto width = static_cast<uint32_t>(32 / bits);
    forHolders(b, [&](const Holder &holder) {
      uint32_t i = holder.registerNumber;
      uint32_t k = holder.lane % 4 * width + i % width + i / width * 4 * width;
      ASSERT_EQ(b.apply(holder),
                (Coordinates{static_cast<int32_t>(k), static_cast<int32_t>(holder.lane / 4)}));
    });
  }
  EXPECT_EQ(mmaTile(MmaRole::A, 64).str(), "8x4 lane 0,1 0,2 1,0 2,0 4,0");
  EXPECT_EQ(mmaTile(MmaRole::B, 64).str(), "4x8 lane 1,0 2,0 0,1 0,2 0,4");
}

TEST(TensorCore, BlocksAreCoveredByTiles) {
  for (int32_t bits : {8, 16, 32, 64})
    for (int32_t m : {16, 64, 128})
      for (int32_t n : {8, 32, 128})
        for (int32_t warps : {1, 2, 4, 8, 16}) {
          WarpGrid grid = mmaWarps(m, n, warps, bits);
          ASSERT_EQ(grid.m * grid.n, warps);
          ASSERT_TRUE(fitsMma(m, n, 64, bits));
          for (MmaRole role : {MmaRole::A, MmaRole::B, MmaRole::Accumulator}) {
            std::vector<int32_t> shape = {role == MmaRole::B ? 64 : m, role == MmaRole::A ? 64 : n};
            Layout layout = mma(role, shape, bits, grid);
            ASSERT_EQ(layout.shape(), shape);
            ASSERT_TRUE(layout.covers()) << layout.str();
            ASSERT_EQ(1 << layout.bits(Bits::Warp), warps);
            ASSERT_TRUE(layout.divideLeft(mmaTile(role, bits))) << layout.str();
          }
        }
}

TEST(TensorCore, WarpsHoldTheRowsAndColumnsOfTheirAccumulators) {
  WarpGrid grid = {2, 2};
  Layout a = mma(MmaRole::A, {64, 32}, 16, grid);
  Layout b = mma(MmaRole::B, {32, 64}, 16, grid);
  Layout c = mma(MmaRole::Accumulator, {64, 64}, 16, grid);
  for (uint32_t warp = 0; warp < 4; ++warp) {
    EXPECT_EQ(a.apply({.warp = warp})[0], c.apply({.warp = warp})[0]);
    EXPECT_EQ(b.apply({.warp = warp})[1], c.apply({.warp = warp})[1]);
  }
}

TEST(TensorCore, WarpsAreSeenInAccumulators) {
  for (WarpGrid grid : {WarpGrid{4, 1}, WarpGrid{2, 2}, WarpGrid{1, 4}}) {
    std::optional<WarpGrid> seen = warpsOf(mma(MmaRole::Accumulator, {128, 64}, 16, grid), 16);
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->m, grid.m);
    EXPECT_EQ(seen->n, grid.n);
  }
  EXPECT_FALSE(warpsOf(wgmma({128, 64}, 64, {1, 1}), 64));
  EXPECT_FALSE(warpsOf(Layout::identity(2, 1, 4, Bits::Warp), 16));
}

TEST(TensorCore, ARowOfResultsIsAnOperandWhereItIs) {
  WarpGrid rows = {4, 1};
  EXPECT_EQ(mma(MmaRole::Accumulator, {128, 64}, 16, rows), mma(MmaRole::A, {128, 64}, 16, rows));
}

TEST(TensorCore, BatchesLieInRegisters) {
  Layout c = mma(MmaRole::Accumulator, {4, 32, 32}, 16, {2, 2});
  EXPECT_TRUE(c.covers());
  EXPECT_EQ(c.basis(Bits::Register, c.bits(Bits::Register) - 1), (Coordinates{2, 0, 0}));
}

TEST(TensorCore, AccumulatorsOfWgmma) {
  Layout c = wgmma({64, 64}, 64, {1, 1});
  forHolders(c, [&](const Holder &holder) {
    Coordinates at = accumulatorAt(holder.lane, holder.registerNumber % 4);
    at[0] += static_cast<int32_t>(holder.warp * 16);
    at[1] += static_cast<int32_t>(holder.registerNumber / 4 * 8);
    ASSERT_EQ(c.apply(holder), at);
  });
  for (WarpGrid groups : {WarpGrid{1, 1}, WarpGrid{2, 1}, WarpGrid{1, 2}, WarpGrid{2, 2}}) {
    Layout wide = wgmma({256, 128}, 64, groups);
    EXPECT_TRUE(wide.covers());
    EXPECT_EQ(1 << wide.bits(Bits::Warp), 4 * groups.m * groups.n);
    Layout a = wgmmaOperand({256, 64}, 16, groups);
    EXPECT_TRUE(a.covers());
    for (uint32_t warp = 0; warp < 4U * groups.m * groups.n; ++warp)
      EXPECT_EQ(a.apply({.warp = warp})[0], wide.apply({.warp = warp})[0]);
  }
}

TEST(SharedMemory, SwizzleExchangesPieces) {
  std::vector<int32_t> order = {1, 0};
  for (int32_t bits : {8, 16, 32})
    for (int32_t swizzle : {32, 64, 128}) {
      int32_t width = swizzle * 8 / bits;
      Layout memory = swizzledShared({32, 2 * width}, order, bits, swizzle);
      ASSERT_TRUE(memory.covers());
      ASSERT_EQ(memory.freeBits(Bits::Offset), 0U);
      forHolders(memory, [&](const Holder &holder) {
        // The rule of the hardware, on byte addresses.
        uint32_t address = holder.offset * bits / 8;
        uint32_t plain = address ^ ((address >> 7 & (swizzle / 16 - 1)) << 4);
        uint32_t chunk = plain / (32 * swizzle);
        uint32_t row = plain / swizzle % 32;
        uint32_t column = chunk * width + plain % swizzle * 8 / bits;
        ASSERT_EQ(memory.apply(holder),
                  (Coordinates{static_cast<int32_t>(row), static_cast<int32_t>(column)}))
            << memory.str();
      });
    }
  EXPECT_EQ(widestSwizzle(64, 16), 128);
  EXPECT_EQ(widestSwizzle(32, 16), 64);
  EXPECT_EQ(widestSwizzle(8, 16), 0);
}

TEST(SharedMemory, PlainIsInOrder) {
  std::vector<int32_t> order = {0, 1};
  Layout memory = plainShared({4, 8}, order);
  forHolders(memory, [&](const Holder &holder) {
    ASSERT_EQ(memory.apply(holder), (Coordinates{static_cast<int32_t>(holder.offset % 4),
                                                 static_cast<int32_t>(holder.offset / 4)}));
  });
}
