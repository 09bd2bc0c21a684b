//===- ConversionTest.cpp - conversions played through on blocks of element numbers ---------------------===//
//
// What: every plan, run as its comment in Conversion.h says, gives each thread the elements of the new
// layout; the ways through memory write each place once and meet in no bank.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/gpu/layouts/Conversion.h"
#include "LayoutSamples.h"
#include "backends/gpu/layouts/Coalesced.h"
#include "backends/gpu/layouts/TensorCore.h"
#include <gtest/gtest.h>

using namespace trisect::gpu;
using namespace trisect::gpu::testing;

namespace {
std::string name(const Layout &from, const Layout &to) { return from.str() + "  to  " + to.str(); }

template <typename Visit> void forThreads(const Layout &layout, Visit visit) {
  for (uint32_t warp = 0; warp < 1U << layout.bits(Bits::Warp); ++warp)
    for (uint32_t lane = 0; lane < 1U << layout.bits(Bits::Lane); ++lane)
      visit(lane, warp);
}

void play(const Renaming &plan, const Layout &from, const Layout &to) {
  forHolders(to, [&](const Holder &holder) {
    Holder source = holder;
    source.registerNumber = plan.source[holder.registerNumber];
    ASSERT_EQ(from.element(source), to.element(holder)) << name(from, to);
  });
}

void play(const Shuffle &plan, const Layout &from, const Layout &to) {
  ASSERT_EQ(plan.rounds.size(), size_t(1) << to.bits(Bits::Register));
  for (uint32_t round = 0; round < plan.rounds.size(); ++round)
    forThreads(to, [&](uint32_t lane, uint32_t warp) {
      uint32_t source = plan.rounds[round].lane ^ evaluate(plan.lane, {.lane = lane, .warp = warp});
      ASSERT_LT(source, 1U << from.bits(Bits::Lane));
      uint32_t offered = plan.rounds[round].offered ^ evaluate(plan.offered, {.lane = source, .warp = warp});
      uint32_t result = round ^ evaluate(plan.result, {.lane = lane, .warp = warp});
      ASSERT_EQ(from.element({.registerNumber = offered, .lane = source, .warp = warp}),
                to.element({.registerNumber = result, .lane = lane, .warp = warp}))
          << name(from, to);
    });
}

/// Conflicts of all accesses of one side.
uint32_t conflicts(const SharedPlan &plan, const SharedAccess &side, const Layout &layout) {
  uint32_t count = 0;
  for (uint32_t warp = 0; warp < 1U << layout.bits(Bits::Warp); ++warp) {
    std::vector<std::optional<uint32_t>> lanes(size_t(1) << layout.bits(Bits::Lane));
    for (uint32_t lane = 0; lane < lanes.size(); ++lane)
      if (&side == &plan.load || !(lane & plan.copyLanes))
        lanes[lane] = evaluate(side.offset, {.lane = lane, .warp = warp}) * plan.elementBytes;
    count += bankConflicts(lanes, plan.vector * plan.elementBytes);
  }
  return count;
}

void play(const SharedPlan &plan, const Layout &from, const Layout &to) {
  ASSERT_EQ(plan.store.rounds.size(), plan.load.rounds.size());
  size_t loaded = 0;
  for (size_t round = 0; round < plan.store.rounds.size(); ++round) {
    constexpr uint32_t kNothing = ~0U;
    std::vector<uint32_t> memory(plan.bytes / plan.elementBytes, kNothing);
    forThreads(from, [&](uint32_t lane, uint32_t warp) {
      if ((lane & plan.copyLanes) || (warp & plan.copyWarps))
        return;
      uint32_t thread = evaluate(plan.store.offset, {.lane = lane, .warp = warp});
      for (const SharedAccess::Group &group : plan.store.rounds[round]) {
        ASSERT_EQ((group.offset ^ thread) % plan.vector, 0U);
        for (uint32_t i = 0; i < plan.vector; ++i) {
          uint32_t element = from.element({group.registers[i], lane, warp});
          uint32_t &place = memory.at((group.offset ^ thread) + i);
          ASSERT_EQ(place, kNothing) << name(from, to);
          place = element;
        }
      }
    });
    forThreads(to, [&](uint32_t lane, uint32_t warp) {
      uint32_t thread = evaluate(plan.load.offset, {.lane = lane, .warp = warp});
      for (const SharedAccess::Group &group : plan.load.rounds[round])
        for (uint32_t i = 0; i < plan.vector; ++i, ++loaded)
          ASSERT_EQ(memory.at((group.offset ^ thread) + i), to.element({group.registers[i], lane, warp}))
              << name(from, to);
    });
  }
  ASSERT_EQ(loaded, size_t(1) << to.inputBits());
  EXPECT_EQ(conflicts(plan, plan.store, from), 0U) << name(from, to);
  EXPECT_EQ(conflicts(plan, plan.load, to), 0U) << name(from, to);
}

void playAll(const Layout &from, const Layout &to, uint32_t bits) {
  std::visit([&](const auto &plan) { play(plan, from, to); }, conversion(from, to, bits));
  for (uint32_t mostBytes : {uint32_t(64), uint32_t(1) << 20})
    play(throughShared(from, to, bytesInShared(bits), mostBytes), from, to);
  if (std::optional<Shuffle> plan = shuffle(from, to))
    play(*plan, from, to);
}

std::vector<Layout> convertible(const std::vector<int32_t> &shape, std::array<unsigned, 3> bits) {
  std::vector<Layout> layouts;
  forLayouts(shape, bits, [&](const Layout &layout) {
    if (layout.covers() && layout.freeBits(Bits::Register) == 0)
      layouts.push_back(layout);
  });
  return layouts;
}
} // namespace

TEST(Conversion, AllPairsOfSmallLayouts) {
  size_t pairs = 0;
  for (const auto &[shape, bits] : {std::pair<std::vector<int32_t>, std::array<unsigned, 3>>{{4}, {1, 1, 1}},
                                    {{4}, {1, 2, 0}},
                                    {{2, 2}, {2, 1, 1}},
                                    {{8}, {2, 1, 0}},
                                    {{8}, {1, 2, 0}},
                                    {{2}, {1, 1, 1}},
                                    {{1}, {0, 2, 1}}}) {
    std::vector<Layout> layouts = convertible(shape, bits);
    // Of many layouts, some against all.
    for (size_t from = 0; from < layouts.size(); from += 1 + layouts.size() / 20)
      for (const Layout &to : layouts) {
        playAll(layouts[from], to, 32);
        ++pairs;
        if (HasFatalFailure())
          return;
      }
  }
  EXPECT_GT(pairs, 8000U);
}

TEST(Conversion, RegistersMayDifferInNumber) {
  for (const Layout &from : convertible({4}, {2, 1, 0}))
    for (const Layout &to : convertible({4}, {1, 1, 0})) {
      playAll(from, to, 16);
      playAll(to, from, 16);
    }
}

TEST(Conversion, AllPairsThatKernelsUse) {
  std::vector<int32_t> rows = {1, 0}, columns = {0, 1};
  for (std::vector<int32_t> shape : {std::vector<int32_t>{16, 16}, {64, 32}}) {
    std::vector<Layout> layouts = {wgmma(shape, 16, {1, 1})};
    for (int32_t vector : {1, 4, 8})
      for (const std::vector<int32_t> &order : {rows, columns})
        layouts.push_back(coalesced(shape, order, vector, {4, 32}));
    for (MmaRole role : {MmaRole::A, MmaRole::B, MmaRole::Accumulator})
      for (int32_t bits : {8, 16, 32})
        if (fitsMma(shape[0], shape[1], 256 / bits, bits) && shape[0] >= 32 && shape[1] >= 32)
          layouts.push_back(mma(role, shape, bits, {2, 2}));
    for (const Layout &from : layouts)
      for (const Layout &to : layouts)
        if (from.covers() && from.shape() == shape && to.shape() == shape)
          for (uint32_t bits : {1, 16, 32, 64})
            if (shape[0] == 16 || bits == 16)
              playAll(from, to, bits);
  }
}

TEST(Conversion, SlicesAndCopies) {
  std::vector<int32_t> order = {1, 0};
  for (int32_t vector : {1, 4})
    for (const std::vector<int32_t> &shape : {std::vector<int32_t>{64, 64}, {16, 256}, {256, 4}}) {
      Layout block = coalesced(shape, order, vector, {4, 32});
      for (size_t axis : {0, 1}) {
        Layout slice = block.sliced(axis);
        std::vector<int32_t> only = {0};
        Layout line = coalesced(slice.shape(), only, 1, {4, 32});
        for (uint32_t bits : {8, 16, 32, 64}) {
          playAll(slice, line, bits);
          playAll(line, slice, bits);
        }
      }
    }
}

TEST(Conversion, TheCheapestWayIsChosen) {
  std::vector<int32_t> order = {0};
  Layout line = coalesced({128}, order, 1, {1, 32}), pairs = coalesced({128}, order, 4, {1, 32});
  EXPECT_TRUE(std::holds_alternative<Renaming>(conversion(line, line, 32)));
  std::optional<Layout> swapped = Layout::parse("4 reg 2 1");
  EXPECT_EQ(std::get<Renaming>(conversion(*Layout::parse("4 reg 1 2"), *swapped, 32)),
            (Renaming{{0, 2, 1, 3}}));
  EXPECT_TRUE(std::holds_alternative<Shuffle>(conversion(line, pairs, 32)));
  Layout wide = coalesced({128}, order, 1, {4, 32}), other = coalesced({128}, order, 4, {4, 32});
  EXPECT_TRUE(std::holds_alternative<SharedPlan>(conversion(wide, other, 32)));
  // A thread that picks among its own registers asks no other lane.
  std::optional<Shuffle> own = shuffle(*Layout::parse("64 reg 32 lane 1 2 4 8 16 warp 0"),
                                       *Layout::parse("64 lane 1 2 4 8 16 warp 32"));
  ASSERT_TRUE(own);
  EXPECT_TRUE(own->withinLanes());
}

TEST(Conversion, RoundsKeepWithinTheMemory) {
  std::vector<int32_t> rows = {1, 0};
  Layout from = coalesced({256, 256}, rows, 4, {8, 32}), to = coalesced({256, 256}, rows, 1, {8, 32});
  SharedPlan plan = throughShared(from, to, 4, 65536);
  EXPECT_EQ(plan.bytes, 65536U);
  EXPECT_EQ(plan.store.rounds.size(), 4U);
  play(plan, from, to);
}

TEST(Conversion, BanksAreCounted) {
  std::vector<std::optional<uint32_t>> lanes(32);
  for (uint32_t lane = 0; lane < 32; ++lane)
    lanes[lane] = lane * 4;
  EXPECT_EQ(bankConflicts(lanes, 4), 0U);
  for (uint32_t lane = 0; lane < 32; ++lane)
    lanes[lane] = lane * 128;
  EXPECT_EQ(bankConflicts(lanes, 4), 31U);
  for (uint32_t lane = 0; lane < 32; ++lane)
    lanes[lane] = lane * 16;
  EXPECT_EQ(bankConflicts(lanes, 16), 0U);
  lanes.assign(32, 4);
  EXPECT_EQ(bankConflicts(lanes, 4), 0U) << "a word goes to all lanes that ask for it";
}
