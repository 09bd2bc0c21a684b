//===- LayoutTest.cpp - layouts against brute force over all holders ------------------------------------===//
#include "backends/gpu/layouts/Layout.h"
#include "LayoutSamples.h"
#include "backends/gpu/layouts/Coalesced.h"
#include "backends/gpu/layouts/XorChain.h"
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace trisect::gpu;
using namespace trisect::gpu::testing;

namespace {
const std::vector<std::vector<int32_t>> kShapes = {{4}, {1, 4}, {2, 2}, {4, 1}};

template <typename Visit> void forSmall(Visit visit) {
  for (const std::vector<int32_t> &shape : kShapes)
    for (std::array<unsigned, 3> bits :
         {std::array<unsigned, 3>{2, 1, 1}, {1, 2, 1}, {0, 2, 1}, {2, 0, 0}, {0, 0, 0}})
      forLayouts(shape, bits, visit);
}

std::set<uint32_t> held(const Layout &layout) {
  std::set<uint32_t> elements;
  forHolders(layout, [&](const Holder &holder) { elements.insert(layout.element(holder)); });
  return elements;
}

/// Elements by thread, which no edit of the output may move to another one.
std::map<std::pair<uint32_t, uint32_t>, std::set<uint32_t>> byThread(const Layout &layout) {
  std::map<std::pair<uint32_t, uint32_t>, std::set<uint32_t>> result;
  forHolders(layout, [&](const Holder &holder) {
    result[{holder.lane, holder.warp}].insert(layout.element(holder));
  });
  return result;
}
} // namespace

TEST(Layout, TextReadsBack) {
  forSmall([](const Layout &layout) {
    std::optional<Layout> read = Layout::parse(layout.str());
    ASSERT_TRUE(read) << layout.str();
    ASSERT_EQ(*read, layout) << layout.str();
    ASSERT_EQ(read->hash(), layout.hash());
  });
  Layout scalar = coalesced({}, {}, 1, {4, 32});
  EXPECT_EQ(scalar.str(), "scalar lane - - - - - warp - -");
  EXPECT_EQ(Layout::parse(scalar.str()), scalar);
}

TEST(Layout, TextThatMakesNoSenseIsRefused) {
  for (const char *text : {"", "3", "4x", "4 reg 4", "4 reg 1,1", "4 foo 1", "4 1", "4 lane 1 reg 1",
                           "4 reg 1 reg 2", "4x4 reg 1", "-4", "4 reg -1", "4 reg 1 ", "0", "scalar lane 1",
                           "4294967296x4", "65536x65536x2", "4 reg 99999999999"})
    EXPECT_FALSE(Layout::parse(text)) << text;
}

TEST(Layout, BlockAndOffsetAreInputsToo) {
  std::optional<Layout> layout = Layout::parse("2x4 reg 0,1 block 1,0 offset 0,2");
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->apply({.registerNumber = 1, .block = 1, .offset = 1}), (Coordinates{1, 3}));
  EXPECT_EQ(layout->unpack(layout->pack({.block = 1})), (Holder{.block = 1}));
}

TEST(Layout, FreeBitsNameTheCopies) {
  forSmall([](const Layout &layout) {
    std::map<uint32_t, int> owners;
    forHolders(layout, [&](const Holder &holder) {
      bool owns = true;
      for (Bits kind : kAllBits)
        owns &= (holder.get(kind) & layout.freeBits(kind)) == 0;
      owners[layout.element(holder)] += owns;
    });
    for (auto [element, count] : owners)
      ASSERT_EQ(count, 1) << layout.str() << " element " << element;
    ASSERT_EQ(layout.covers(), owners.size() == static_cast<size_t>(layout.elements()));
  });
}

TEST(Layout, InverseFindsAHolder) {
  forSmall([](const Layout &layout) {
    Matrix inverse = layout.inverse();
    for (uint32_t element : held(layout))
      ASSERT_EQ(layout.element(layout.unpack(inverse.times(element))), element) << layout.str();
  });
}

TEST(Layout, XorChainsGiveCoordinates) {
  forSmall([](const Layout &layout) {
    std::vector<XorChain> chains = xorChain(layout);
    ASSERT_EQ(chains.size(), layout.rank());
    forHolders(layout, [&](const Holder &holder) {
      Coordinates fromRegister = layout.apply({.registerNumber = holder.registerNumber});
      for (size_t dim = 0; dim < chains.size(); ++dim)
        ASSERT_EQ(evaluate(chains[dim], holder) ^ static_cast<uint32_t>(fromRegister[dim]),
                  static_cast<uint32_t>(layout.apply(holder)[dim]))
            << layout.str();
    });
  });
}

TEST(Layout, XorChainsShareTerms) {
  EXPECT_EQ(xorChain(Bits::Lane, {1, 2, 4}), (XorChain{{Bits::Lane, 7, 0}}));
  EXPECT_EQ(xorChain(Bits::Warp, {8, 16, 1}), (XorChain{{Bits::Warp, 4, -2}, {Bits::Warp, 3, 3}}));
  EXPECT_EQ(xorChain(Bits::Warp, {0, 0}), XorChain{});
}

TEST(Layout, EditsKeepElementsWithTheirThreads) {
  std::vector<int32_t> order = {1, 0};
  forSmall([&](const Layout &layout) {
    if (layout.rank() != 2)
      return;
    Layout turned = layout.transposed(order);
    Layout flat = layout.reshaped({4});
    Layout taller = layout.expanded(1);
    Layout pairs = layout.joined();
    ASSERT_EQ(pairs.bits(Bits::Register), layout.bits(Bits::Register) + 1);
    forHolders(layout, [&](const Holder &holder) {
      Coordinates at = layout.apply(holder);
      ASSERT_EQ(turned.apply(holder), (Coordinates{at[1], at[0]}));
      ASSERT_EQ(flat.apply(holder), (Coordinates{at[0] * layout.shape()[1] + at[1]}));
      ASSERT_EQ(taller.apply(holder), (Coordinates{at[0], 0, at[1]}));
      for (uint32_t side : {0U, 1U}) {
        Holder half = holder;
        half.registerNumber = holder.registerNumber * 2 + side;
        ASSERT_EQ(pairs.apply(half), (Coordinates{at[0], at[1], static_cast<int32_t>(side)}));
      }
    });
    ASSERT_EQ(pairs.split(), layout.withoutFreeRegisters());
  });
}

TEST(Layout, SlicedKeepsOneRegisterForEachElement) {
  forSmall([](const Layout &layout) {
    for (size_t axis = 0; axis < layout.rank(); ++axis) {
      Layout slice = layout.sliced(axis);
      std::map<std::pair<uint32_t, uint32_t>, std::set<uint32_t>> wanted;
      forHolders(layout, [&](const Holder &holder) {
        Coordinates at = layout.apply(holder);
        at.erase(at.begin() + static_cast<ptrdiff_t>(axis));
        wanted[{holder.lane, holder.warp}].insert(slice.number(at));
      });
      ASSERT_EQ(byThread(slice), wanted) << layout.str();
      for (auto &[thread, elements] : wanted)
        ASSERT_EQ(elements.size(), size_t(1) << slice.bits(Bits::Register));
      ASSERT_EQ(slice.freeBits(Bits::Register), 0U);
    }
  });
}

TEST(Layout, BroadcastHoldsAllCopies) {
  forLayouts({1, 4}, {1, 1, 1}, [](const Layout &layout) {
    Layout wide = layout.broadcast({2, 4});
    forHolders(layout, [&](const Holder &holder) {
      for (uint32_t row : {0U, 1U}) {
        Holder copy = holder;
        copy.registerNumber |= row << layout.bits(Bits::Register);
        Coordinates at = layout.apply(holder);
        at[0] = static_cast<int32_t>(row);
        ASSERT_EQ(wide.apply(copy), at);
      }
    });
  });
}

TEST(Layout, ProjectedIsWhatABroadcastNeeds) {
  forLayouts({2, 4}, {2, 1, 1}, [](const Layout &layout) {
    Layout row = layout.projected({1, 4});
    ASSERT_EQ(row.shape(), (std::vector<int32_t>{1, 4}));
    ASSERT_EQ(row.freeBits(Bits::Register), 0U);
    std::map<std::pair<uint32_t, uint32_t>, std::set<uint32_t>> wanted;
    forHolders(layout, [&](const Holder &holder) {
      wanted[{holder.lane, holder.warp}].insert(static_cast<uint32_t>(layout.apply(holder)[1]));
    });
    ASSERT_EQ(byThread(row), wanted) << layout.str();
  });
}

TEST(Layout, ProductsDivide) {
  forLayouts({2, 2}, {1, 1, 0}, [](const Layout &tile) {
    forLayouts({2, 1}, {1, 0, 1}, [&](const Layout &outer) {
      Layout product = tile.times(outer);
      ASSERT_EQ(product.shape(), (std::vector<int32_t>{4, 2}));
      std::optional<Layout> rest = product.divideLeft(tile);
      ASSERT_TRUE(rest);
      ASSERT_EQ(*rest, outer) << tile.str() << " times " << outer.str();
      forHolders(product, [&](const Holder &holder) {
        Coordinates inner = tile.apply({holder.registerNumber & 1, holder.lane});
        Coordinates far = outer.apply({holder.registerNumber >> 1, 0, holder.warp});
        ASSERT_EQ(product.apply(holder), (Coordinates{inner[0] + 2 * far[0], inner[1] + 2 * far[1]}));
      });
    });
  });
  Layout row = Layout::identity(2, 1, 4, Bits::Register);
  EXPECT_FALSE(row.divideLeft(Layout::identity(2, 1, 2, Bits::Lane)));
  EXPECT_FALSE(row.divideLeft(Layout::identity(2, 0, 2, Bits::Register)));
  EXPECT_FALSE(row.divideLeft(Layout::identity(2, 1, 8, Bits::Register)));
}

TEST(Coalesced, CoversWithNeighbours) {
  for (std::vector<int32_t> shape :
       {std::vector<int32_t>{1}, {64}, {4096}, {8, 64}, {64, 8}, {1, 16}, {4, 4, 32}})
    for (int32_t vector : {1, 2, 8})
      for (int32_t warps : {1, 4, 16}) {
        std::vector<int32_t> order;
        for (size_t dim = shape.size(); dim-- > 0;)
          order.push_back(static_cast<int32_t>(dim));
        Layout layout = coalesced(shape, order, vector, {warps, 32});
        EXPECT_TRUE(layout.covers());
        EXPECT_EQ(layout.bits(Bits::Lane), 5U);
        EXPECT_EQ(1 << layout.bits(Bits::Warp), warps);
        EXPECT_EQ(layout.freeBits(Bits::Register), 0U);
        // Row-major order makes thread t's vector the t-th.
        int32_t width = std::min(vector, shape.back());
        forHolders(layout, [&](const Holder &holder) {
          uint32_t thread = holder.warp * 32 + holder.lane;
          uint32_t place = thread * width + (holder.registerNumber & (width - 1));
          if (holder.registerNumber < static_cast<uint32_t>(width))
            ASSERT_EQ(layout.element(holder), place & (layout.elements() - 1)) << layout.str();
        });
      }
}
