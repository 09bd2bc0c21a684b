//===- CopiesTest.cpp - one space for one program after another -----------------------------------------===//
#include "jit/check/Copies.h"
#include "backends/target/Memory.h"
#include "jit/reference/PageReader.h"
#include "tests/unit/jit/Arguments.h"
#include <array>
#include <gtest/gtest.h>
#include <unistd.h>

namespace trisect::jit {
namespace {

constexpr uint64_t pageBytes = interp::Overlay::pageBytes;
constexpr const char *text = R"(
tt.func public @k(%in: !tt.ptr<i8>, %out: !tt.ptr<i8>) {
  %x = tt.load %in : !tt.ptr<i8>
  tt.store %out, %x : !tt.ptr<i8>
  tt.return
}
)";

/// Two tensors of four pages each.
class CopiesTest : public ::testing::Test {
protected:
  CopiesTest() {
    for (size_t n = 0; n < sizeof(real); ++n)
      real[n] = static_cast<uint8_t>(n / pageBytes + 1);
    arguments.tensorAt(at(0), {4 * pageBytes}, DType::I8);
    arguments.tensorAt(at(4), {4 * pageBytes}, DType::I8);
    request = arguments.request({1, 1, 1});
  }

  uint64_t at(size_t page) const { return reinterpret_cast<uint64_t>(real) + page * pageBytes; }

  /// What a program touches that reads some pages and writes the first byte of others.
  PageImages touch(interp::Overlay &overlay, std::initializer_list<size_t> reads,
                   std::initializer_list<size_t> writes) {
    uint8_t byte = 0;
    for (size_t page : reads)
      overlay.read({}, at(page), &byte, 1);
    for (size_t page : writes)
      overlay.write({}, at(page), "\xaa", 1);
    return imagesOf(overlay);
  }

  /// Where a page lies in the copy.
  static uint8_t *copy(const Copies &copies, size_t page) {
    return reinterpret_cast<uint8_t *>(copies.request().args[page / 4] + page % 4 * pageBytes);
  }

  /// The kernel says whether an address can be read, without a fault.
  static bool accessible(const uint8_t *address) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    bool there = write(ends[1], address, 1) == 1;
    close(ends[0]), close(ends[1]);
    return there;
  }

  alignas(pageBytes) uint8_t real[8 * pageBytes];
  Arguments arguments;
  LaunchRequest request;
  std::shared_ptr<const Kernel> kernel = Kernel::create(text, "", {});
  std::shared_ptr<PageSnapshot> snapshot = std::make_shared<PageSnapshot>(hostMemory());
  interp::Overlay first = overlayOver(snapshot), second = overlayOver(snapshot);
};

TEST_F(CopiesTest, TheNextProgramFindsWhatWasThereAndOnlyItsOwnPages) {
  PageImages pages = touch(first, {0, 1}, {5});
  auto copies = Copies::create(*kernel, pages, request, /*inverts=*/false);
  ASSERT_TRUE(copies);
  *copy(*copies, 1) = 99; // a stray store into a page that is only read
  *copy(*copies, 5) = 98;
  copies->collect();
  EXPECT_EQ(copies->pages()[1].found[0], 99);
  EXPECT_EQ(copies->pages()[2].found[0], 98);
  EXPECT_EQ(copies->pages()[2].expected[0], 0xaa);
  EXPECT_EQ(copies->pages()[2].before[0], 6);
  copies->restore();

  pages = touch(second, {1, 2}, {6});
  ASSERT_TRUE(copies->take(pages));
  EXPECT_FALSE(accessible(copy(*copies, 0)));
  EXPECT_FALSE(accessible(copy(*copies, 5)));
  EXPECT_FALSE(accessible(copy(*copies, 3)));
  for (size_t page : {1, 2, 6}) {
    ASSERT_TRUE(accessible(copy(*copies, page)));
    EXPECT_EQ(*copy(*copies, page), page + 1);
  }
  EXPECT_EQ(real[pageBytes], 2) << "the caller's memory is left alone";
}

TEST_F(CopiesTest, APageThatTwoArgumentsReachIsThereForBoth) {
  for (bool known : {true, false}) {
    LaunchRequest asked = request;
    if (!known)
      asked.tensors = {};
    interp::Overlay mine = overlayOver(snapshot);
    PageImages pages =
        touch(mine, {0, 3}, {5}); // between the tensors nothing is touched but a page near both
    auto copies = Copies::create(*kernel, pages, asked, false);
    ASSERT_TRUE(copies);
    auto from = [&](size_t argument, int64_t pages) {
      return reinterpret_cast<uint8_t *>(copies->request().args[argument] + pages * int64_t(pageBytes));
    };
    for (auto *page : {from(0, 3), from(1, -1)}) {
      ASSERT_TRUE(accessible(page));
      EXPECT_EQ(*page, 4);
    }
    EXPECT_EQ(*from(0, 5), 6) << "the other's, as it lies for the caller";
    EXPECT_FALSE(accessible(from(0, 2)));
  }
}

TEST_F(CopiesTest, APageThatComesBackHoldsWhatWasThere) {
  PageImages pages = touch(first, {0}, {});
  auto copies = Copies::create(*kernel, pages, request, false);
  ASSERT_TRUE(copies);
  interp::Overlay none = overlayOver(snapshot);
  pages = touch(none, {1}, {});
  ASSERT_TRUE(copies->take(pages));
  real[0] = 77; // another thread; programs of one comparison see one snapshot
  pages = touch(second, {0}, {});
  ASSERT_TRUE(copies->take(pages));
  EXPECT_EQ(*copy(*copies, 0), 1);
}

TEST_F(CopiesTest, WhatNothingReadsIsInvertedForEachProgramAnew) {
  PageImages pages = touch(first, {0}, {4});
  auto copies = Copies::create(*kernel, pages, request, /*inverts=*/true);
  ASSERT_TRUE(copies);
  EXPECT_EQ(copy(*copies, 4)[0], 5) << "tier 0 writes it";
  EXPECT_EQ(copy(*copies, 4)[1], uint8_t(~5));
  EXPECT_EQ(copies->pages()[1].expected[1], uint8_t(~5));
  uint8_t byte = 0;
  second.write({}, at(4) + 1, &byte, 1);
  pages = touch(second, {0}, {});
  ASSERT_TRUE(copies->take(pages));
  EXPECT_EQ(copy(*copies, 4)[0], uint8_t(~5));
  EXPECT_EQ(copy(*copies, 4)[1], 5);
  EXPECT_EQ(copy(*copies, 0)[0], 1) << "what is read is as it was";
}

TEST_F(CopiesTest, APageThatTierZeroHadNoReasonToTouchIsOfOneProgram) {
  PageImages pages = touch(first, {0}, {});
  auto copies = Copies::create(*kernel, pages, request, false);
  ASSERT_TRUE(copies);
  ASSERT_TRUE(copies->provide(reinterpret_cast<uint64_t>(copy(*copies, 2))));
  EXPECT_EQ(*copy(*copies, 2), 3);
  EXPECT_FALSE(copies->provide(reinterpret_cast<uint64_t>(copy(*copies, 2)))) << "it is there";
  pages = touch(second, {0, 1}, {});
  ASSERT_TRUE(copies->take(pages));
  EXPECT_FALSE(accessible(copy(*copies, 2)));
  EXPECT_EQ(*copy(*copies, 1), 2);
}

TEST_F(CopiesTest, PagesThatLieElsewhereAreLeft) {
  PageImages pages = touch(first, {0}, {});
  auto copies = Copies::create(*kernel, pages, request, false);
  ASSERT_TRUE(copies);
  std::vector<uint8_t> other(3 * pageBytes);
  uint8_t byte = 0;
  second.read({}, reinterpret_cast<uint64_t>(other.data()) + pageBytes, &byte, 1);
  pages = imagesOf(second);
  EXPECT_FALSE(copies->take(pages));
  EXPECT_EQ(pages.size(), 1u);
}

} // namespace
} // namespace trisect::jit
